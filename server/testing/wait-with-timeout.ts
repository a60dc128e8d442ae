import { setTimeout as delay } from 'node:timers/promises';

/** Resolves with the result of a promise; rejects when it is still pending after `timeoutMs`. */
export const waitWithTimeout = async <T>(timeoutMs: number, event: PromiseLike<T>): Promise<T> => {
  const waiting = new AbortController();
  const tooLate = delay(timeoutMs, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(`Nothing happened within ${timeoutMs} ms`);
  });
  try {
    return await Promise.race([event, tooLate]);
  } finally {
    waiting.abort();
  }
};
