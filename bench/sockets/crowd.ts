import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Person } from './people.ts';

/** Number of errors by name. */
export type ErrorCounts = Record<string, number>;

/** Messages at a steady rate. */
export interface Load {
  url: string;
  baseline: boolean;
  perSecond: number;
  seconds: number;
}

/** Delivery times to the other party's socket in ms, and the numbers of lost and duplicated messages. */
export interface Sent {
  times: number[];
  lost: number;
  duplicated: number;
}

/** Arguments of the commands to a client process. */
export interface CommandArguments {
  open: { url: string; baseline: boolean; people: Person[] };
  look: undefined;
  forget: undefined;
  keep: number;
  send: Load;
}
export interface Command {
  ref: number;
  name: keyof CommandArguments;
  args: unknown;
}

const processes = 2;
const program = fileURLToPath(new URL('crowd-process.ts', import.meta.url));

const startMember = () => {
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, (response: never) => void>();
  let refs = 0;
  child.on('message', ({ ref, response }: { ref: number; response: never }) => {
    waiting.get(ref)?.(response);
    waiting.delete(ref);
  });
  return {
    ask: <Response>(name: keyof CommandArguments, args?: unknown): Promise<Response> =>
      new Promise((done, failed) => {
        refs += 1;
        waiting.set(refs, done);
        child.once('exit', () => failed(new Error('A client process exited')));
        child.setMaxListeners(0);
        child.send({ ref: refs, name, args } satisfies Command);
      }),
    stop: () => child.kill('SIGKILL'),
  };
};

/** Starts many clients in a few processes; both parties of a conversation are in the same process. */
export const startCrowd = () => {
  const members = Array.from({ length: processes }, startMember);
  const look = async (): Promise<{ ready: number; errors: ErrorCounts }> => {
    const seen = await Promise.all(
      members.map(({ ask }) => ask<{ ready: number; errors: ErrorCounts }>('look')),
    );
    const errors: ErrorCounts = {};
    for (const one of seen) {
      for (const [what, times] of Object.entries(one.errors)) errors[what] = (errors[what] ?? 0) + times;
    }
    return { ready: seen.reduce((sum, { ready }) => sum + ready, 0), errors };
  };

  /** Waits until N clients are connected and have joined; returns the duration in ms. */
  const allReady = async (count: number, timeoutMs: number): Promise<number> => {
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
    allReady,
    open: async (people: Person[], url: string, baseline: boolean): Promise<void> => {
      const share = 2 * Math.ceil(people.length / processes / 2);
      const parts = members.map((_, index) => people.slice(index * share, (index + 1) * share));
      await Promise.all(
        members.map(({ ask }, index) => ask('open', { url, baseline, people: parts[index] })),
      );
    },
    forget: () => Promise.all(members.map(({ ask }) => ask('forget'))),
    /** Disconnects all but N clients. */
    keep: (count: number) => Promise.all(members.map(({ ask }) => ask('keep', count / processes))),
    send: async (load: Load): Promise<Sent> => {
      const part = { ...load, perSecond: load.perSecond / processes };
      const done = await Promise.all(members.map(({ ask }) => ask<Sent>('send', part)));
      return {
        times: done.flatMap(({ times }) => times),
        lost: done.reduce((sum, { lost }) => sum + lost, 0),
        duplicated: done.reduce((sum, { duplicated }) => sum + duplicated, 0),
      };
    },
    stop: () => {
      for (const { stop } of members) stop();
    },
  };
};

export type Crowd = ReturnType<typeof startCrowd>;
