import { createClient } from '@redis/client';
import type { Log } from '#server/platform/process/log.ts';
import type { Bus } from './bus.ts';
import { createExchange } from './bus-exchange.ts';

const channel = 'quad';
/** A connection that answers no beat is lost: noticed after `beatMs + silenceMs` at most. All in ms. */
const [beatMs, silenceMs, connectMs] = [2000, 3000, 2000];
const retryAtMostMs = 2000;

/** Half of it always, half by chance: many processes must not return in step. */
const retryAfter = (tries: number): number =>
  Math.min(retryAtMostMs, 100 * 2 ** Math.min(tries, 10)) * (0.5 + Math.random() / 2);

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown';

/**
 * The bus between processes by Redis (6 or newer) publish and subscribe. While Redis is away it is deaf: what is to be
 * said waits, and it connects again by itself and tells of the gap. Throws, naming the place but not the password,
 * when Redis cannot be used at first.
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
  const { publish, subscribe, hear, tellGap, close } = createExchange(
    (payloads) => Promise.all(payloads.map((payload) => client.publish(channel, payload))),
    log,
  );

  let isAway = false;
  client.on('error', (error: unknown) => {
    if (!connected || isAway) return;
    isAway = true;
    log.warn({ host, reason: reasonOf(error) }, 'Redis is out of reach; it is tried again');
  });
  // By then the library has subscribed again.
  client.on('ready', () => {
    if (!connected) return;
    isAway = false;
    log.info({ host }, 'Redis answers again');
    tellGap();
  });
  try {
    await client.connect();
    await client.subscribe(channel, hear);
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
