import type { Clock } from '#server/platform/clock.ts';
import { isUnavailableError, retryAfterDeadlocks, type Sql } from '#server/platform/postgres/database.ts';
import { insertMessages, type MessageRow, type NewMessage } from './message-repository.ts';

/**
 * Number of lanes, each of which runs one statement at a time. The id of a conversation determines its lane, so that
 * a locked conversation delays only the messages of its own lane, and two statements of this process never wait for
 * each other's locks.
 */
const laneCount = 4;
const maxMessagesPerBatch = 100;

/**
 * Stores messages to different conversations with one statement. Returns the stored messages by conversation id. The
 * result contains no entry for a message that may not be stored.
 */
type StoreBatch = (batch: readonly NewMessage[]) => Promise<ReadonlyMap<string, MessageRow>>;

interface WaitingMessage {
  message: NewMessage;
  resolve(row: MessageRow | undefined): void;
  reject(error: unknown): void;
}

/** Removes and returns the messages that the next statement stores: the first one of each conversation. */
const takeBatch = (waiting: readonly WaitingMessage[]) => {
  const batch = new Map<string, WaitingMessage>();
  const rest: WaitingMessage[] = [];
  for (const one of waiting) {
    const { id } = one.message;
    if (batch.has(id) || batch.size === maxMessagesPerBatch) rest.push(one);
    else batch.set(id, one);
  }
  return { batch: [...batch.values()], rest };
};

const createLane = (storeBatch: StoreBatch) => {
  let waiting: WaitingMessage[] = [];
  let isRunning = false;

  const store = async (batch: readonly WaitingMessage[]): Promise<void> => {
    try {
      const rows = await storeBatch(batch.map(({ message }) => message));
      for (const { message, resolve } of batch) resolve(rows.get(message.id));
    } catch (error) {
      if (isUnavailableError(error)) {
        // When the database is unavailable, the waiting messages fail as well, so that none of them
        // waits for a second timeout.
        for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error);
      } else if (batch.length === 1) batch[0]?.reject(error);
      // Store the messages of the batch one at a time, because a single message may have made the statement fail, for
      // example a message that was stored before.
      else await Promise.all(batch.map((one) => store([one])));
    }
  };

  const storeWaiting = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const { batch, rest } = takeBatch(waiting);
      waiting = rest;
      await store(batch);
    }
    isRunning = false;
  };

  return (message: NewMessage): Promise<MessageRow | undefined> => {
    const { promise, resolve, reject } = Promise.withResolvers<MessageRow | undefined>();
    waiting.push({ message, resolve, reject });
    if (!isRunning) void storeWaiting();
    return promise;
  };
};

export interface MessageBatcher {
  /** Stores a message. Resolves to undefined for a message that may not be stored. */
  store(message: NewMessage): Promise<MessageRow | undefined>;
}

/**
 * Creates a batcher that stores a message immediately if no statement is running in its lane. Messages that arrive
 * while a statement is running are stored together by the next one, which under load saves most round trips and
 * commits. A batch that fails is repeated message by message, so that one message cannot make the others fail.
 * Rethrows the errors of `storeBatch`.
 */
export const createBatcher = (storeBatch: StoreBatch): MessageBatcher => {
  const lanes = Array.from({ length: laneCount }, () => createLane(storeBatch));
  return {
    store: async (message) => lanes[Number.parseInt(message.id.slice(-2), 16) % laneCount]?.(message),
  };
};

/** Creates the batcher for messages that are not the first ones of their conversations. */
export const createMessageBatcher = ({ sql, clock }: { sql: Sql; clock: Clock }): MessageBatcher =>
  createBatcher((batch) =>
    retryAfterDeadlocks(() => insertMessages(sql, batch, { now: clock.now(), first: false })),
  );
