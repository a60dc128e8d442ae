import { createHash } from 'node:crypto';
import type { Log } from '#server/platform/process/log.ts';
import {
  type ConnectionLimits,
  type ConnectionQuotas,
  createConnectionLimits,
  defaultConnectionQuotas,
  type LocalConnectionSlot,
} from './connection-limits.ts';
import type { SharedConnectionCounts } from './shared-counts.ts';

/**
 * Timeout for exchanging socket counts with the shared store, in ms. After it, this host decides by its own
 * counts alone. A new socket waits for at most two exchanges; even two timeouts are shorter than the time
 * that a worker waits for the supervisor.
 */
const defaultTimeoutMs = 800;
/**
 * Minimum time between two exchanges of socket counts with the store, in ms. Under load, many sockets share
 * one exchange.
 */
const exchangeIntervalMs = 5;
const maxKeysPerExchange = 500;

interface SharedConnectionLimitOptions {
  shared: SharedConnectionCounts;
  log: Log;
  quotas?: Partial<ConnectionQuotas>;
  timeoutMs?: number;
}

export interface SharedConnectionLimits extends ConnectionLimits {
  /**
   * Tells the other hosts that this one is alive; stores its counts again if they were lost. Never rejects.
   */
  renew(): Promise<void>;
  close(): Promise<void>;
}

type CountKind = 'open' | 'unauthenticated' | 'accounts';
interface CountKey {
  kind: CountKind;
  name: string;
}

/**
 * Returns the key of a socket count in the store. It is a hash, so that the store contains neither client
 * addresses nor account ids.
 */
const hashKey = ({ kind, name }: CountKey): string =>
  createHash('sha256').update(`${kind}:${name}`).digest('base64url').slice(0, 22);

const noCounts: ReadonlyMap<string, number> = new Map();

/**
 * Creates connection limits that count the sockets of all hosts. Each host keeps its own counts in memory, stores those
 * that change, and reads the other hosts' counts of the same keys before it grants a slot. While the store is
 * unavailable, each host applies the quotas to its own sockets.
 */
export const createSharedConnectionLimits = ({
  shared,
  log,
  quotas = {},
  timeoutMs = defaultTimeoutMs,
}: SharedConnectionLimitOptions): SharedConnectionLimits => {
  const limits = { ...defaultConnectionQuotas, ...quotas };
  const local = createConnectionLimits(quotas);
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
  let isClosed = false;

  const countOf = ({ kind, name }: CountKey): number => local.counts[kind].get(name) ?? 0;
  const wait = (ms: number) =>
    new Promise<void>((done) => {
      setTimeout(done, ms).unref();
    });

  const recordOutcome = (error?: unknown): void => {
    if (error !== undefined && !isFailing)
      log.warn(
        { err: error },
        'sockets are limited for this host alone; the counts of others cannot be read',
      );
    if (error === undefined && isFailing) log.info('sockets are limited for all hosts together again');
    isFailing = error !== undefined;
  };

  const sendCounts = async (keys: ReadonlyMap<string, CountKey>): Promise<ReadonlyMap<string, number>> => {
    const entries = [...keys];
    const others = new Map<string, number>();
    for (let start = 0; start < entries.length; start += maxKeysPerExchange) {
      const part = entries.slice(start, start + maxKeysPerExchange);
      const counts = new Map(part.map(([hash, key]) => [hash, countOf(key)]));
      for (const [hash, count] of await shared.exchange(counts)) others.set(hash, count);
    }
    return others;
  };

  const sendInTime = async (keys: ReadonlyMap<string, CountKey>): Promise<ReadonlyMap<string, number>> => {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`No reply within ${timeoutMs} ms`)), timeoutMs);
    try {
      return await Promise.race([sendCounts(keys), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  };

  const runExchange = async (keys: Map<string, CountKey>): Promise<ReadonlyMap<string, number>> => {
    for (const [hash, key] of unsent) keys.set(hash, key);
    unsent.clear();
    try {
      const others = await sendInTime(keys);
      recordOutcome();
      return others;
    } catch (error) {
      for (const [hash, key] of keys) unsent.set(hash, key);
      recordOutcome(error);
      return noCounts;
    }
  };

  /**
   * Stores this host's current values of the given counts and returns the sums of the other hosts' values;
   * returns no values while the store fails. Calls made while an exchange is running share the next one.
   */
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
  const storeCounts = (keys: CountKey[]): void => {
    if (!isClosed) void exchange(keys);
  };

  /**
   * Stores this host's counts, which already include a new socket, and returns whether the sums of all hosts'
   * counts stay within the limits. Sockets that this host opens in the meantime are not considered.
   */
  const isWithinLimits = async (checked: { key: CountKey; limit: number }[]): Promise<boolean> => {
    const ownCounts = checked.map(({ key }) => countOf(key));
    const others = await exchange(checked.map(({ key }) => key));
    return checked.every(
      ({ key, limit }, index) => (ownCounts[index] ?? 0) + (others.get(hashKey(key)) ?? 0) <= limit,
    );
  };

  const shareSlot = (slot: LocalConnectionSlot, address: string) => {
    const open: CountKey = { kind: 'open', name: address };
    const unauthenticated: CountKey = { kind: 'unauthenticated', name: address };
    const ownerKey = (owner: string | undefined): CountKey =>
      owner === undefined ? unauthenticated : { kind: 'accounts', name: owner };
    return {
      claim: async (account: string): Promise<boolean> => {
        const previous = slot.owner();
        if (previous === account) return true;
        if (!slot.reserve(account)) return false;
        const isGranted = await isWithinLimits([{ key: ownerKey(account), limit: limits.perAccount }]);
        const hasMoved = slot.settle(account, isGranted);
        storeCounts([ownerKey(account), ownerKey(previous)]);
        return hasMoved;
      },
      release: (): void => {
        const owner = slot.owner();
        slot.release();
        storeCounts([open, ownerKey(owner)]);
      },
    };
  };

  return {
    acquire: async (address) => {
      const slot = local.acquire(address);
      if (!slot) return undefined;
      const checked: { key: CountKey; limit: number }[] = [
        { key: { kind: 'open', name: address }, limit: limits.perAddress },
        { key: { kind: 'unauthenticated', name: address }, limit: limits.unauthenticatedPerAddress },
      ];
      const sharedSlot = shareSlot(slot, address);
      if (await isWithinLimits(checked)) return sharedSlot;
      sharedSlot.release();
      return undefined;
    },
    renew: async () => {
      try {
        const isStored = await shared.renew();
        const kinds = isStored ? [] : (['open', 'unauthenticated', 'accounts'] as const);
        const keys = kinds.flatMap((kind) => [...local.counts[kind].keys()].map((name) => ({ kind, name })));
        if (keys.length + unsent.size > 0) await exchange(keys);
      } catch (error) {
        recordOutcome(error);
      }
    },
    close: async () => {
      isClosed = true;
      await next?.others;
      await ready;
      await shared.close().catch(() => undefined);
    },
  };
};
