import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Person } from './people.ts';

/** Number of errors, by error name. */
export type ErrorCounts = Record<string, number>;

/** The server to which messages are sent, their rate, and for how long they are sent. */
export interface MessageSendingPlan {
  url: string;
  baseline: boolean;
  perSecond: number;
  seconds: number;
}

/** Delivery times to the other party's socket in ms, and the numbers of lost and duplicated messages. */
export interface MessageDeliveryResult {
  times: number[];
  lost: number;
  duplicated: number;
}

/** Commands that a client process accepts, with their arguments. */
export interface ClientCommandArguments {
  open: { url: string; baseline: boolean; people: Person[] };
  look: undefined;
  forget: undefined;
  keep: number;
  send: MessageSendingPlan;
}
export interface ClientCommand {
  ref: number;
  name: keyof ClientCommandArguments;
  args: unknown;
}

const processCount = 2;
const clientScript = fileURLToPath(new URL('client-process.ts', import.meta.url));

const startClientProcess = () => {
  const child = fork(clientScript, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, (response: never) => void>();
  let refs = 0;
  child.on('message', ({ ref, response }: { ref: number; response: never }) => {
    waiting.get(ref)?.(response);
    waiting.delete(ref);
  });
  return {
    sendCommand: <Response>(name: keyof ClientCommandArguments, args?: unknown): Promise<Response> =>
      new Promise((done, failed) => {
        refs += 1;
        waiting.set(refs, done);
        child.once('exit', () => failed(new Error('A client process exited')));
        child.setMaxListeners(0);
        child.send({ ref: refs, name, args } satisfies ClientCommand);
      }),
    stop: () => child.kill('SIGKILL'),
  };
};

/**
 * Starts the processes that simulate clients. Both parties of a conversation are in the same process, so that
 * it can measure how long a message takes from one party to the other.
 */
export const startClientProcesses = () => {
  const clientProcesses = Array.from({ length: processCount }, startClientProcess);
  const look = async (): Promise<{ ready: number; errors: ErrorCounts }> => {
    const seen = await Promise.all(
      clientProcesses.map(({ sendCommand }) => sendCommand<{ ready: number; errors: ErrorCounts }>('look')),
    );
    const errors: ErrorCounts = {};
    for (const one of seen) {
      for (const [what, times] of Object.entries(one.errors)) errors[what] = (errors[what] ?? 0) + times;
    }
    return { ready: seen.reduce((sum, { ready }) => sum + ready, 0), errors };
  };

  /** Waits until `count` clients are connected and have joined their topics; returns the waiting time in ms. */
  const waitUntilReady = async (count: number, timeoutMs: number): Promise<number> => {
    const begun = performance.now();
    for (;;) {
      const { ready, errors } = await look();
      const waited = performance.now() - begun;
      if (ready === count) return waited;
      if (waited > timeoutMs)
        throw new Error(`Only ${ready} of ${count} have joined: ${JSON.stringify(errors)}`);
      await delay(100);
    }
  };

  return {
    look,
    waitUntilReady,
    open: async (people: Person[], url: string, baseline: boolean): Promise<void> => {
      const share = 2 * Math.ceil(people.length / processCount / 2);
      const parts = clientProcesses.map((_, index) => people.slice(index * share, (index + 1) * share));
      await Promise.all(
        clientProcesses.map(({ sendCommand }, index) =>
          sendCommand('open', { url, baseline, people: parts[index] }),
        ),
      );
    },
    forget: () => Promise.all(clientProcesses.map(({ sendCommand }) => sendCommand('forget'))),
    /** Disconnects all clients except `count` of them. */
    keep: (count: number) =>
      Promise.all(clientProcesses.map(({ sendCommand }) => sendCommand('keep', count / processCount))),
    send: async (load: MessageSendingPlan): Promise<MessageDeliveryResult> => {
      const part = { ...load, perSecond: load.perSecond / processCount };
      const done = await Promise.all(
        clientProcesses.map(({ sendCommand }) => sendCommand<MessageDeliveryResult>('send', part)),
      );
      return {
        times: done.flatMap(({ times }) => times),
        lost: done.reduce((sum, { lost }) => sum + lost, 0),
        duplicated: done.reduce((sum, { duplicated }) => sum + duplicated, 0),
      };
    },
    stop: () => {
      for (const { stop } of clientProcesses) stop();
    },
  };
};

export type ClientProcesses = ReturnType<typeof startClientProcesses>;
