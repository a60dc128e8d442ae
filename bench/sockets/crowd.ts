import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Person } from './people.ts';

/** How often what went wrong, by name. */
export type Happened = Record<string, number>;

/** Messages at a steady rate. */
export interface Rush {
  url: string;
  baseline: boolean;
  perSecond: number;
  seconds: number;
}

/** What became of them: the times until the other party's socket had it, in ms, and how many had none or two. */
export interface Sent {
  times: number[];
  lost: number;
  doubled: number;
}

/** What a process of the crowd is asked. */
export interface Asked {
  open: { url: string; baseline: boolean; people: Person[] };
  look: undefined;
  forget: undefined;
  keep: number;
  send: Rush;
}
export interface Question {
  ref: number;
  name: keyof Asked;
  asked: unknown;
}

const processes = 2;
const program = fileURLToPath(new URL('crowd-process.ts', import.meta.url));

const startMember = () => {
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, (answer: never) => void>();
  let refs = 0;
  child.on('message', ({ ref, answer }: { ref: number; answer: never }) => {
    waiting.get(ref)?.(answer);
    waiting.delete(ref);
  });
  return {
    ask: <Answer>(name: keyof Asked, asked?: unknown): Promise<Answer> =>
      new Promise((done, failed) => {
        refs += 1;
        waiting.set(refs, done);
        child.once('exit', () => failed(new Error('A process of the crowd ended')));
        child.setMaxListeners(0);
        child.send({ ref: refs, name, asked } satisfies Question);
      }),
    stop: () => child.kill('SIGKILL'),
  };
};

/** Many people in a few processes; who is in one has the other party of the conversation there too. */
export const startCrowd = () => {
  const members = Array.from({ length: processes }, startMember);
  const look = async (): Promise<{ ready: number; happened: Happened }> => {
    const seen = await Promise.all(
      members.map(({ ask }) => ask<{ ready: number; happened: Happened }>('look')),
    );
    const happened: Happened = {};
    for (const one of seen) {
      for (const [what, times] of Object.entries(one.happened))
        happened[what] = (happened[what] ?? 0) + times;
    }
    return { ready: seen.reduce((sum, { ready }) => sum + ready, 0), happened };
  };

  /** Waits until so many are connected and have joined; answers how long it took, in ms. */
  const allReady = async (count: number, timeoutMs: number): Promise<number> => {
    const begun = performance.now();
    for (;;) {
      const { ready, happened } = await look();
      const waited = performance.now() - begun;
      if (ready === count) return waited;
      if (waited > timeoutMs)
        throw new Error(`Only ${ready} of ${count} are there: ${JSON.stringify(happened)}`);
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
    /** Lets all but so many go. */
    keep: (count: number) => Promise.all(members.map(({ ask }) => ask('keep', count / processes))),
    send: async (rush: Rush): Promise<Sent> => {
      const part = { ...rush, perSecond: rush.perSecond / processes };
      const done = await Promise.all(members.map(({ ask }) => ask<Sent>('send', part)));
      return {
        times: done.flatMap(({ times }) => times),
        lost: done.reduce((sum, { lost }) => sum + lost, 0),
        doubled: done.reduce((sum, { doubled }) => sum + doubled, 0),
      };
    },
    stop: () => {
      for (const { stop } of members) stop();
    },
  };
};

export type Crowd = ReturnType<typeof startCrowd>;
