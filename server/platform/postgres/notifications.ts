import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from './database.ts';
import { identifier } from './sql-fragments.ts';

const maxRetryDelayMs = 2_000;

/**
 * Calls `onPayload` with each NOTIFY of a channel, on a connection of its own. Listens again after the connection is
 * lost, and calls `onListening` each time that it has begun to listen. Returns a function that stops listening. Throws
 * when the first connection fails.
 */
export const listenOnChannel = async (
  sql: Sql,
  channel: string,
  { onPayload, onListening }: { onPayload(payload: string): void; onListening(): void },
): Promise<() => void> => {
  let isStopped = false;
  let stop = () => {};

  const listen = async (): Promise<{ ended: Promise<void> }> => {
    const session = await sql.connect();
    const ended = new Promise<void>((resolve) => session.client.once('end', resolve));
    session.client.on('notification', ({ payload = '' }) => onPayload(payload));
    stop = session.release;
    try {
      await session`LISTEN ${identifier(channel)}`;
    } catch (error) {
      session.release();
      throw error;
    }
    onListening();
    return { ended };
  };

  const listenAgain = async (ended: Promise<void>): Promise<void> => {
    await ended;
    for (let delayMs = 100; !isStopped; delayMs = Math.min(delayMs * 2, maxRetryDelayMs)) {
      try {
        const next = await listen();
        if (isStopped) stop();
        return listenAgain(next.ended);
      } catch {
        await delay(delayMs, undefined, { ref: false });
      }
    }
  };

  const { ended } = await listen();
  void listenAgain(ended);
  return () => {
    isStopped = true;
    stop();
  };
};
