import type { Sql } from '#server/platform/postgres/database.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Bus } from './bus.ts';
import { createExchange } from './bus-exchange.ts';

const channel = 'quad';

/**
 * Creates a bus between processes that share a database, using LISTEN and NOTIFY. Committing a NOTIFY is serialized
 * across the whole database, so many announcements share one. After a lost connection it listens again by itself and
 * reports the gap. With `speaks: false` it publishes to its own process only: enough for the single process of an
 * embedded database, which still hears what commands announce. Throws when the first connection fails.
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
