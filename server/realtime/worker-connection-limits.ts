import type { RpcClient } from '#server/platform/process/worker-rpc.ts';
import type { ConnectionLimits, ConnectionSlot, LocalConnectionLimits } from './connection-limits.ts';

/** What a worker asks of the process that counts for all of them; `place` is the worker's own number for it. */
export interface ConnectionLimitHandlers {
  enter(what: { slot: number; address: string }): boolean;
  claim(what: { slot: number; account: string }): boolean;
  leave(what: { slot: number }): void;
}

/** The counting process does no other long-running work, so it responds quickly. */
const timeoutMs = 2000;

/** Returns one worker's RPC handlers on the shared counts; `leaveAll` releases the slots of a worker that has exited. */
export const serveConnectionLimits = (
  connectionLimits: LocalConnectionLimits,
): ConnectionLimitHandlers & { leaveAll(): void } => {
  const held = new Map<number, ReturnType<LocalConnectionLimits['enter']> & {}>();
  let isGone = false;
  const leave = (slot: number): void => {
    held.get(slot)?.leave();
    held.delete(slot);
  };
  return {
    enter: ({ slot, address }) => {
      // A worker's last call may arrive after it has exited.
      const found = isGone ? undefined : connectionLimits.enter(address);
      if (found) held.set(slot, found);
      return found !== undefined;
    },
    claim: ({ slot, account }) => held.get(slot)?.claim(account) ?? false,
    leave: ({ slot }) => leave(slot),
    leaveAll: () => {
      isGone = true;
      for (const slot of [...held.keys()]) leave(slot);
    },
  };
};

/** Places for the sockets of a worker, counted together with those of all others by who is at the end of the line. */
export const connectToLimits = (rpc: RpcClient<ConnectionLimitHandlers>): ConnectionLimits => {
  let taken = 0;
  return {
    enter: async (address) => {
      taken += 1;
      const slot = taken;
      // A failure can be ignored: either the supervisor has exited, or it is about to end this process.
      const leave = (): void => void rpc.ask('leave', { slot }, timeoutMs).catch(() => {});
      try {
        if (!(await rpc.ask('enter', { slot, address }, timeoutMs))) return undefined;
      } catch (error) {
        // The slot may be granted after the timeout.
        leave();
        throw error;
      }
      const claim: ConnectionSlot['claim'] = (account) => rpc.ask('claim', { slot, account }, timeoutMs);
      return { claim, leave };
    },
  };
};
