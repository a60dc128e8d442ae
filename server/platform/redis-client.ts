import { createClient } from '@redis/client';

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

/** A connection to Redis (version 6 or newer). */
export type RedisClient = ReturnType<typeof createRedisClient>;

const createRedisClient = (url: string, mayReconnect: () => boolean) =>
  createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    pingInterval: pingIntervalMs,
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: socketTimeoutMs,
      reconnectStrategy: (tries) => (mayReconnect() ? toRetryDelayMs(tries) : false),
    },
  });

interface RedisListeners {
  /** Called once when the connection is lost. */
  onLost?(reason: string): void;
  /** Called when the client has reconnected and restored its subscriptions. */
  onReconnected?(): void;
}

/**
 * Connects to Redis and calls `prepare` with the client; afterwards the client reconnects by itself. Throws when the
 * first connection or `prepare` fails; the message contains the host but not the password.
 */
export const connectToRedis = async (
  url: string,
  { onLost, onReconnected }: RedisListeners = {},
  prepare: (client: RedisClient) => Promise<unknown> = async () => {},
): Promise<RedisClient> => {
  let hasConnected = false;
  let isLost = false;
  const client = createRedisClient(url, () => hasConnected);
  client.on('error', (error: unknown) => {
    if (!hasConnected || isLost) return;
    isLost = true;
    onLost?.(describeError(error));
  });
  client.on('ready', () => {
    if (!hasConnected) return;
    isLost = false;
    onReconnected?.();
  });
  try {
    await client.connect();
    await prepare(client);
  } catch (error) {
    client.destroy();
    throw new Error(`Cannot use Redis at QUAD_REDIS_URL ${new URL(url).host}: ${describeError(error)}`);
  }
  hasConnected = true;
  return client;
};
