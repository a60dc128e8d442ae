import type { Log } from '#server/platform/process/log.ts';
import {
  type ConnectionLimits,
  type ConnectionQuotas,
  createConnectionLimits,
  defaultConnectionQuotas,
  type LocalConnectionSlot,
} from './connection-limits.ts';
import { type CountKey, createCountExchange, hashKey } from './count-exchange.ts';
import type { SharedConnectionCounts } from './shared-counts.ts';

/**
 * Timeout for exchanging socket counts with the shared store, in ms. After it, this host decides by its own
 * counts alone. A new socket waits for at most two exchanges; even two timeouts are shorter than the time
 * that a worker waits for the supervisor.
 */
const defaultTimeoutMs = 800;

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
  const countOf = ({ kind, name }: CountKey): number => local.counts[kind].get(name) ?? 0;
  const { exchange, renew, settled } = createCountExchange({ shared, log, timeoutMs, countOf });
  let isClosed = false;

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

  const listOwnKeys = (): CountKey[] =>
    (['open', 'unauthenticated', 'accounts'] as const).flatMap((kind) =>
      [...local.counts[kind].keys()].map((name) => ({ kind, name })),
    );

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
    renew: () => renew(listOwnKeys),
    close: async () => {
      isClosed = true;
      await settled();
      await shared.close().catch(() => undefined);
    },
  };
};
