import { setTimeout as delay } from 'node:timers/promises';

/** Waits for an event of another process for at most `timeoutMs`; rejects when it has not occurred by then. */
export const within = async <T>(timeoutMs: number, event: PromiseLike<T>): Promise<T> => {
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
