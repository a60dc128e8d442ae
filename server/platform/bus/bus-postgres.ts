import type { Sql } from '#server/platform/postgres/database.ts';
import { listenOnChannel } from '#server/platform/postgres/notifications.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Bus } from './bus.ts';
import { createCrossProcessBus } from './bus-exchange.ts';

const channel = 'quad';

/**
 * Creates a bus between processes that share a database, using LISTEN and NOTIFY. PostgreSQL serializes
 * commits that contain a NOTIFY, so many bus messages share one statement. After a lost connection the bus
 * listens again and notifies its subscribers that bus messages may have been missed. Throws when the first
 * connection fails. With `publishes: false` it publishes to its own process only, which is enough for the
 * single server process of an embedded database; it still receives bus messages from commands.
 */
export const createPostgresBus = async (
  sql: Sql,
  log: Log,
  { publishes = true }: { publishes?: boolean } = {},
): Promise<Bus> => {
  const { publish, subscribe, receive, notifyGap, close } = createCrossProcessBus(
    async (payloads) =>
      publishes &&
      // Select a count, so that the statement returns one row instead of one row per payload.
      sql`SELECT count(pg_notify(${channel}, payload)) FROM unnest(${payloads}::text[]) AS payload`,
    log,
  );
  let hasListened = false;
  const stopListening = await listenOnChannel(sql, channel, {
    onPayload: receive,
    onListening: () => {
      if (hasListened && publishes) notifyGap();
      hasListened = true;
    },
  });
  return {
    publish,
    subscribe,
    // This bus never reports that it is disconnected, because subscribers would then poll the database, which
    // is unreachable as well.
    isDisconnected: () => false,
    close: async () => {
      await close();
      stopListening();
    },
  };
};
