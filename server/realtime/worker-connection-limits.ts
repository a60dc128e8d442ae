import type { RpcClient } from '#server/platform/process/worker-rpc.ts';
import type { ConnectionLimits, ConnectionSlot, LocalConnectionLimits } from './connection-limits.ts';

/**
 * RPC methods of the supervisor, which counts the sockets of all workers; `slot` is the worker's own number for one.
 */
export interface ConnectionLimitHandlers {
  acquire(params: { slot: number; address: string }): boolean;
  claim(params: { slot: number; account: string }): boolean;
  release(params: { slot: number }): void;
}

/** The counting process does no other long-running work, so it responds quickly. */
const timeoutMs = 2000;

/**
 * Returns one worker's RPC handlers on the shared counts; `releaseAll` releases the slots of a worker that has exited.
 */
export const serveConnectionLimits = (
  connectionLimits: LocalConnectionLimits,
): ConnectionLimitHandlers & { releaseAll(): void } => {
  const held = new Map<number, ReturnType<LocalConnectionLimits['acquire']> & {}>();
  let hasExited = false;
  const release = (slot: number): void => {
    held.get(slot)?.release();
    held.delete(slot);
  };
  return {
    acquire: ({ slot, address }) => {
      // A worker's last call may arrive after it has exited.
      const found = hasExited ? undefined : connectionLimits.acquire(address);
      if (found) held.set(slot, found);
      return found !== undefined;
    },
    claim: ({ slot, account }) => held.get(slot)?.claim(account) ?? false,
    release: ({ slot }) => release(slot),
    releaseAll: () => {
      hasExited = true;
      for (const slot of [...held.keys()]) release(slot);
    },
  };
};

/** Returns connection limits that the supervisor counts for all workers, called over RPC. */
export const connectToLimits = (rpc: RpcClient<ConnectionLimitHandlers>): ConnectionLimits => {
  let lastSlot = 0;
  return {
    acquire: async (address) => {
      lastSlot += 1;
      const slot = lastSlot;
      // A failure can be ignored: either the supervisor has exited, or it is about to end this process.
      const release = (): void => void rpc.call('release', { slot }, timeoutMs).catch(() => {});
      try {
        if (!(await rpc.call('acquire', { slot, address }, timeoutMs))) return undefined;
      } catch (error) {
        // The slot may be granted after the timeout.
        release();
        throw error;
      }
      const claim: ConnectionSlot['claim'] = (account) => rpc.call('claim', { slot, account }, timeoutMs);
      return { claim, release };
    },
  };
};
