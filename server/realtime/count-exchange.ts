import { createHash } from 'node:crypto';
import type { Log } from '#server/platform/process/log.ts';
import type { SharedConnectionCounts } from './shared-counts.ts';

/**
 * Minimum time between two exchanges of socket counts with the store, in ms. Under load, many sockets share
 * one exchange.
 */
const exchangeIntervalMs = 5;
const maxKeysPerExchange = 500;

/** What a socket count counts: all sockets of an address, its unauthenticated ones, or those of an account. */
export interface CountKey {
  kind: 'open' | 'unauthenticated' | 'accounts';
  name: string;
}

/**
 * Returns the key of a socket count in the store. It is a hash, so that the store contains neither client
 * addresses nor account ids.
 */
export const hashKey = ({ kind, name }: CountKey): string =>
  createHash('sha256').update(`${kind}:${name}`).digest('base64url').slice(0, 22);

interface CountExchangeOptions {
  shared: SharedConnectionCounts;
  log: Log;
  timeoutMs: number;
  /** Returns this host's current value of a count. */
  countOf: (key: CountKey) => number;
}

export interface CountExchange {
  /**
   * Stores this host's current values of the given counts and returns the sums of the other hosts' values, by the
   * hashes of their keys; returns no values while the store fails. Calls made while an exchange is running share the
   * next one.
   */
  exchange(keys: CountKey[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Tells the other hosts that this one is alive; stores its counts, those of `listKeys`, again if they were lost. Never
   * rejects.
   */
  renew(listKeys: () => CountKey[]): Promise<void>;
  /** Resolves when no exchange is running. */
  settled(): Promise<void>;
}

const noCounts: ReadonlyMap<string, number> = new Map();

const wait = (ms: number) =>
  new Promise<void>((done) => {
    setTimeout(done, ms).unref();
  });

/** Sends counts to the store, and returns the sums of the other hosts' counts. */
const sendCounts = async (
  { shared, countOf }: CountExchangeOptions,
  keys: ReadonlyMap<string, CountKey>,
): Promise<ReadonlyMap<string, number>> => {
  const entries = [...keys];
  const others = new Map<string, number>();
  for (let start = 0; start < entries.length; start += maxKeysPerExchange) {
    const part = entries.slice(start, start + maxKeysPerExchange);
    const counts = new Map(part.map(([hash, key]) => [hash, countOf(key)]));
    for (const [hash, count] of await shared.exchange(counts)) others.set(hash, count);
  }
  return others;
};

const sendInTime = async (
  options: CountExchangeOptions,
  keys: ReadonlyMap<string, CountKey>,
): Promise<ReadonlyMap<string, number>> => {
  const { timeoutMs } = options;
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No reply within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([sendCounts(options, keys), tooLate]);
  } finally {
    clearTimeout(timer);
  }
};

/** Creates the exchange of this host's counts. Counts that could not be sent are sent again with the next ones. */
export const createCountExchange = (options: CountExchangeOptions): CountExchange => {
  const { shared, log } = options;
  /** Socket counts that could not be sent to the store; the next exchange sends them again. */
  const unsent = new Map<string, CountKey>();
  /**
   * The next exchange with the store, until it begins: the counts to send, and the other hosts' counts that
   * all callers will get.
   */
  let next: { keys: Map<string, CountKey>; others: Promise<ReadonlyMap<string, number>> } | undefined;
  /** Resolves when the next exchange with the store may begin. */
  let ready: Promise<unknown> = Promise.resolve();
  let isFailing = false;

  const recordOutcome = (error?: unknown): void => {
    if (error !== undefined && !isFailing)
      log.warn(
        { err: error },
        'sockets are limited for this host alone; the counts of others cannot be read',
      );
    if (error === undefined && isFailing) log.info('sockets are limited for all hosts together again');
    isFailing = error !== undefined;
  };

  const runExchange = async (keys: Map<string, CountKey>): Promise<ReadonlyMap<string, number>> => {
    for (const [hash, key] of unsent) keys.set(hash, key);
    unsent.clear();
    try {
      const others = await sendInTime(options, keys);
      recordOutcome();
      return others;
    } catch (error) {
      for (const [hash, key] of keys) unsent.set(hash, key);
      recordOutcome(error);
      return noCounts;
    }
  };

  const exchange = (keys: CountKey[]): Promise<ReadonlyMap<string, number>> => {
    if (!next) {
      const collected = new Map<string, CountKey>();
      const others = ready.then(() => {
        next = undefined;
        return runExchange(collected);
      });
      next = { keys: collected, others };
      ready = others.then(() => wait(exchangeIntervalMs));
    }
    for (const key of keys) next.keys.set(hashKey(key), key);
    return next.others;
  };

  return {
    exchange,
    renew: async (listKeys) => {
      try {
        const keys = (await shared.renew()) ? [] : listKeys();
        if (keys.length + unsent.size > 0) await exchange(keys);
      } catch (error) {
        recordOutcome(error);
      }
    },
    settled: async () => {
      await next?.others;
      await ready;
    },
  };
};
