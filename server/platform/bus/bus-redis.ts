import type { Log } from '#server/platform/process/log.ts';
import { connectToRedis, type RedisClient } from '#server/platform/redis-client.ts';
import type { Bus } from './bus.ts';
import { createCrossProcessBus } from './bus-exchange.ts';

const channel = 'quad';

/**
 * Creates a bus between processes on Redis Pub/Sub (version 6 or newer). While Redis is unreachable, payloads
 * are queued. The bus reconnects automatically and then notifies its subscribers that bus messages may have
 * been missed. Throws when the first connection fails; the message contains the host but not the password.
 */
export const createRedisBus = async (url: string, log: Log): Promise<Bus> => {
  const { host } = new URL(url);
  let client: RedisClient | undefined;
  const { publish, subscribe, receive, notifyGap, close } = createCrossProcessBus(
    (payloads) => Promise.all(payloads.map((payload) => client?.publish(channel, payload))),
    log,
  );
  const listeners = {
    onLost: (reason: string) => log.warn({ host, reason }, 'Redis is unreachable; reconnecting'),
    onReconnected: () => {
      log.info({ host }, 'Redis is reachable again');
      notifyGap();
    },
  };
  const connected = await connectToRedis(url, listeners, (opened) => opened.subscribe(channel, receive));
  client = connected;

  return {
    publish,
    subscribe,
    isDisconnected: () => !connected.isReady,
    close: async () => {
      await close();
      connected.destroy();
    },
  };
};
