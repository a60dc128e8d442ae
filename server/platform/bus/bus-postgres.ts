import type { Sql } from '#server/platform/postgres/database.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Bus } from './bus.ts';
import { createExchange } from './bus-exchange.ts';

const channel = 'quad';

/**
 * The bus between processes on one database, by LISTEN and NOTIFY. Committing a NOTIFY is serialised in the whole
 * database, so many announcements share one. After a lost connection it listens again by itself and tells of the
 * gap. One that does not speak tells its own process only: for the one process of a database of its own, which
 * hears what commands beside it announce. Throws when the database cannot be reached at first.
 */
export const createPostgresBus = async (
  sql: Sql,
  log: Log,
  { speaks = true }: { speaks?: boolean } = {},
): Promise<Bus> => {
  const { publish, subscribe, hear, tellGap, close } = createExchange(
    async (payloads) =>
      speaks && sql`SELECT pg_notify(${channel}, payload) FROM unnest(${payloads}::text[]) AS payload`,
    log,
  );
  let listened = false;
  const { unlisten } = await sql.listen(channel, hear, () => {
    if (listened && speaks) tellGap();
    listened = true;
  });
  return {
    publish,
    subscribe,
    // A process that cannot listen cannot read messages either: the database is the same.
    isDisconnected: () => false,
    close: async () => {
      await close();
      await unlisten().catch(() => undefined);
    },
  };
};
