import type { RpcClient } from '#server/platform/process/worker-rpc.ts';
import type { ConnectionLimits, ConnectionSlot, LocalConnectionLimits } from './connection-limits.ts';

/** What a worker asks of the process that counts for all of them; `place` is the worker's own number for it. */
export interface ConnectionLimitHandlers {
  enter(what: { slot: number; address: string }): boolean;
  claim(what: { slot: number; account: string }): boolean;
  leave(what: { slot: number }): void;
}

/** The process that counts does nothing else of length. */
const timeoutMs = 2000;

/** Answers one worker out of what is counted for all; `leaveAll` gives back what a worker held that is gone. */
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
      // What a worker asked last may be heard after its end.
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
      // Whether it is heard is nobody's concern here: who does not hear it is gone, or ends this process.
      const leave = (): void => void rpc.ask('leave', { slot }, timeoutMs).catch(() => {});
      try {
        if (!(await rpc.ask('enter', { slot, address }, timeoutMs))) return undefined;
      } catch (error) {
        // It may be granted late.
        leave();
        throw error;
      }
      const claim: ConnectionSlot['claim'] = (account) => rpc.ask('claim', { slot, account }, timeoutMs);
      return { claim, leave };
    },
  };
};
