import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { deletePasskeys } from './passkey-repository.ts';

/** Removes a passkey of a person, or all of them, and tells the person. Returns whether there was one. */
export const removePasskeysWithin = async (
  app: App,
  tx: Transaction,
  { id, userId, byAdministrator = false }: { id?: string; userId: string; byAdministrator?: boolean },
): Promise<boolean> => {
  const [name] = await deletePasskeys(tx, { id, userId });
  if (name === undefined) return false;
  await noteSecurityEvent(app, { event: 'passkey_removed', userId, detail: id ? undefined : 'all' }, tx);
  const facts = {
    at: app.clock.now().toISOString(),
    name: id ? name : null,
    by_administrator: byAdministrator,
  };
  await notify(app, tx, 'passkey_removed', [{ subjectId: null, facts, userIds: [userId] }]);
  return true;
};
