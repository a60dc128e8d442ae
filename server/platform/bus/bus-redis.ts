import { createClient } from '@redis/client';
import type { Log } from '#server/platform/process/log.ts';
import type { Bus } from './bus.ts';
import { createCrossProcessBus } from './bus-exchange.ts';

const channel = 'quad';
/**
 * Redis is pinged every `pingIntervalMs`. The connection counts as lost when there is no reply
 * within `socketTimeoutMs`.
 */
const [pingIntervalMs, socketTimeoutMs, connectTimeoutMs] = [2000, 3000, 2000];
const maxRetryDelayMs = 2000;

/** Returns an exponential delay, half of it random, so that many processes do not reconnect at the same moment. */
const toRetryDelayMs = (tries: number): number =>
  Math.min(maxRetryDelayMs, 100 * 2 ** Math.min(tries, 10)) * (0.5 + Math.random() / 2);

const describeError = (error: unknown): string =>
  error instanceof Error ? error.message || ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown';

/**
 * Creates a bus between processes on Redis Pub/Sub (version 6 or newer). While Redis is
 * unreachable, payloads are queued. The bus reconnects automatically and then notifies its
 * subscribers that announcements may have been missed. Throws when the first connection fails; the
 * message contains the host but not the password.
 */
export const createRedisBus = async (url: string, log: Log): Promise<Bus> => {
  const { host } = new URL(url);
  let hasConnected = false;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: pingIntervalMs,
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: socketTimeoutMs,
      reconnectStrategy: (tries) => (hasConnected ? toRetryDelayMs(tries) : false),
    },
  });
  const { publish, subscribe, receive, notifyGap, close } = createCrossProcessBus(
    (payloads) => Promise.all(payloads.map((payload) => client.publish(channel, payload))),
    log,
  );

  let isUnreachable = false;
  client.on('error', (error: unknown) => {
    if (!hasConnected || isUnreachable) return;
    isUnreachable = true;
    log.warn({ host, reason: describeError(error) }, 'Redis is unreachable; reconnecting');
  });
  // The client library restores its subscriptions before it emits this event.
  client.on('ready', () => {
    if (!hasConnected) return;
    isUnreachable = false;
    log.info({ host }, 'Redis is reachable again');
    notifyGap();
  });
  try {
    await client.connect();
    await client.subscribe(channel, receive);
  } catch (error) {
    client.destroy();
    throw new Error(`Cannot use Redis at REDIS_URL ${host}: ${describeError(error)}`);
  }
  hasConnected = true;

  return {
    publish,
    subscribe,
    isDisconnected: () => !client.isReady,
    close: async () => {
      await close();
      client.destroy();
    },
  };
};
