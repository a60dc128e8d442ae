import type { Sql } from '#server/platform/postgres/database.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Bus } from './bus.ts';
import { createCrossProcessBus } from './bus-exchange.ts';

const channel = 'quad';

/**
 * Creates a bus between processes that share a database, using LISTEN and NOTIFY. PostgreSQL
 * serializes commits that contain a NOTIFY, so many announcements share one statement. After a lost
 * connection the bus listens again and notifies its subscribers that announcements may have been
 * missed. Throws when the first connection fails.
 *
 * With `publishes: false` it publishes to its own process only, which is enough for the single
 * server process of an embedded database; it still receives announcements from commands.
 */
export const createPostgresBus = async (
  sql: Sql,
  log: Log,
  { publishes = true }: { publishes?: boolean } = {},
): Promise<Bus> => {
  const { publish, subscribe, receive, notifyGap, close } = createCrossProcessBus(
    async (payloads) =>
      publishes &&
      // Counting makes the result one row instead of one for each payload.
      sql`SELECT count(pg_notify(${channel}, payload)) FROM unnest(${payloads}::text[]) AS payload`,
    log,
  );
  let hasListened = false;
  const { unlisten } = await sql.listen(channel, receive, () => {
    if (hasListened && publishes) notifyGap();
    hasListened = true;
  });
  return {
    publish,
    subscribe,
    // Always false, because polling the database would not help: when this connection is down, so
    // is the database.
    isDisconnected: () => false,
    close: async () => {
      await close();
      await unlisten().catch(() => undefined);
    },
  };
};
