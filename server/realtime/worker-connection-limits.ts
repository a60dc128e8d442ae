import type { RpcClient } from '#server/platform/process/worker-rpc.ts';
import type { ConnectionLimits, ConnectionSlot } from './connection-limits.ts';

/**
 * RPC methods of the supervisor, which counts the sockets of all workers. `slot` is a number that the calling worker
 * chose for a connection slot.
 */
export interface ConnectionLimitHandlers {
  acquire(params: { slot: number; address: string }): Promise<boolean>;
  claim(params: { slot: number; account: string }): Promise<boolean>;
  release(params: { slot: number }): void;
}

/** Timeout for replies of the supervisor, which does no long-running work and therefore responds quickly. */
const rpcTimeoutMs = 2000;

/**
 * Returns the supervisor's RPC handlers for one worker. They count the worker's sockets in
 * `connectionLimits`, which all workers share. `releaseAll` releases the slots of a worker that has
 * exited.
 */
export const createConnectionLimitHandlers = (
  connectionLimits: ConnectionLimits,
): ConnectionLimitHandlers & { releaseAll(): void } => {
  const slotsByNumber = new Map<number, ConnectionSlot>();
  /**
   * Slots that are still being acquired. `isReleased` records that the worker released the slot in the
   * meantime.
   */
  const acquiring = new Map<number, { isReleased: boolean }>();
  let hasExited = false;
  const release = (slot: number): void => {
    const pending = acquiring.get(slot);
    if (pending) pending.isReleased = true;
    slotsByNumber.get(slot)?.release();
    slotsByNumber.delete(slot);
  };
  return {
    acquire: async ({ slot, address }) => {
      // A call that the worker made before it exited may arrive after the exit. Grant no slot then,
      // because nothing would release it.
      if (hasExited) return false;
      const pending = { isReleased: false };
      acquiring.set(slot, pending);
      const found = await Promise.resolve(connectionLimits.acquire(address)).finally(() =>
        acquiring.delete(slot),
      );
      if (pending.isReleased) found?.release();
      else if (found) slotsByNumber.set(slot, found);
      return found !== undefined;
    },
    claim: async ({ slot, account }) => slotsByNumber.get(slot)?.claim(account) ?? false,
    release: ({ slot }) => release(slot),
    releaseAll: () => {
      hasExited = true;
      for (const slot of [...acquiring.keys(), ...slotsByNumber.keys()]) release(slot);
    },
  };
};

/**
 * Returns connection limits for use in a worker. Each call is forwarded over RPC to the supervisor,
 * which counts the sockets of all workers.
 */
export const createRemoteConnectionLimits = (rpc: RpcClient<ConnectionLimitHandlers>): ConnectionLimits => {
  let lastSlot = 0;
  return {
    acquire: async (address) => {
      lastSlot += 1;
      const slot = lastSlot;
      // Ignore a failure to release the slot: either the supervisor has exited, or it is about to
      // end this worker process and then releases all slots of the worker.
      const release = (): void => void rpc.call('release', { slot }, rpcTimeoutMs).catch(() => {});
      try {
        if (!(await rpc.call('acquire', { slot, address }, rpcTimeoutMs))) return undefined;
      } catch (error) {
        // The supervisor may grant the slot after the timeout, so release it anyway.
        release();
        throw error;
      }
      const claim: ConnectionSlot['claim'] = (account) => rpc.call('claim', { slot, account }, rpcTimeoutMs);
      return { claim, release };
    },
  };
};
