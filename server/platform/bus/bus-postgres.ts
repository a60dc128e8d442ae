import type { Sql } from '#server/platform/postgres/database.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Bus } from './bus.ts';
import { createExchange } from './bus-exchange.ts';

const channel = 'quad';

/**
 * Creates a bus between processes that share a database, using LISTEN and NOTIFY. Committing a NOTIFY is serialized
 * across the whole database, so many announcements share one. After a lost connection it listens again by itself and
 * reports the gap. With `publishes: false` it publishes to its own process only: enough for the single process of an
 * embedded database, which still receives what commands announce. Throws when the first connection fails.
 */
export const createPostgresBus = async (
  sql: Sql,
  log: Log,
  { publishes = true }: { publishes?: boolean } = {},
): Promise<Bus> => {
  const { publish, subscribe, receive, notifyGap, close } = createExchange(
    async (payloads) =>
      publishes && sql`SELECT pg_notify(${channel}, payload) FROM unnest(${payloads}::text[]) AS payload`,
    log,
  );
  let listened = false;
  const { unlisten } = await sql.listen(channel, receive, () => {
    if (listened && publishes) notifyGap();
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
