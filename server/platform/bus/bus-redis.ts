import { createClient } from '@redis/client';
import type { Log } from '#server/platform/process/log.ts';
import type { Bus } from './bus.ts';
import { createExchange } from './bus-exchange.ts';

const channel = 'quad';
/** A connection without a heartbeat reply is treated as lost after at most `beatMs + silenceMs` milliseconds. */
const [beatMs, silenceMs, connectMs] = [2000, 3000, 2000];
const maxRetryMs = 2000;

/** Half fixed, half random, so that many processes do not reconnect in step. */
const retryAfter = (tries: number): number =>
  Math.min(maxRetryMs, 100 * 2 ** Math.min(tries, 10)) * (0.5 + Math.random() / 2);

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown';

/**
 * Creates a bus between processes that uses publish and subscribe of Redis (6 or newer). While Redis is unreachable,
 * payloads are queued; it reconnects by itself and reports the gap. Throws when the first connection fails, with the
 * host but not the password in the message.
 */
export const createRedisBus = async (url: string, log: Log): Promise<Bus> => {
  const { host } = new URL(url);
  let connected = false;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: beatMs,
    socket: {
      connectTimeout: connectMs,
      socketTimeout: silenceMs,
      reconnectStrategy: (tries) => (connected ? retryAfter(tries) : false),
    },
  });
  const { publish, subscribe, receive, notifyGap, close } = createExchange(
    (payloads) => Promise.all(payloads.map((payload) => client.publish(channel, payload))),
    log,
  );

  let isUnreachable = false;
  client.on('error', (error: unknown) => {
    if (!connected || isUnreachable) return;
    isUnreachable = true;
    log.warn({ host, reason: reasonOf(error) }, 'Redis is unreachable; reconnecting');
  });
  // The library has resubscribed before it emits this event.
  client.on('ready', () => {
    if (!connected) return;
    isUnreachable = false;
    log.info({ host }, 'Redis is reachable again');
    notifyGap();
  });
  try {
    await client.connect();
    await client.subscribe(channel, receive);
  } catch (error) {
    client.destroy();
    throw new Error(`Cannot use Redis at REDIS_URL ${host}: ${reasonOf(error)}`);
  }
  connected = true;

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
