import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { countIdentities, moveIdentities } from './identity-repository.ts';

export const countIdentitiesOf = ({ sql }: App, issuer: string): Promise<number> =>
  countIdentities(sql, issuer);

/**
 * Moves all connections to a provider that has another issuer now, but the same subjects. Returns how many. Throws when some
 * of its people are connected under the new issuer already.
 */
export const moveSignOn = (app: App, { from, to }: { from: string; to: string }): Promise<number> =>
  runInTransaction(app.sql, async (tx) => {
    const moved = await moveIdentities(tx, { from, to });
    if ((await countIdentities(tx, from)) > 0)
      throw new Error(`Some people have connected ${to} already; disconnect them first.`);
    await noteSecurityEvent(app, { event: 'sign_on_moved', detail: `${moved} from ${from} to ${to}` }, tx);
    return moved;
  });
