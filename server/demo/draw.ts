import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Picture } from './drawings/picture.ts';
import type { Print } from './drawings/print.ts';

/** One picture to draw, and the drawn one, as they pass between the processes. */
export interface DrawJob {
  index: number;
  picture: Picture;
}
export type DrawAnswer = { index: number } & ({ print: Print; failed?: never } | { failed: string });

/** Draws the pictures, handing each to `keep` as soon as it is done; resolves when all are kept. */
export type DrawPictures = (
  pictures: readonly Picture[],
  keep: (print: Print, index: number) => Promise<void>,
) => Promise<void>;

/** Draws on every core, each with a process of its own that ends with the last picture. */
export const drawPictures: DrawPictures = async (pictures, keep) => {
  const waiting = pictures.map((picture, index): DrawJob => ({ index, picture }));
  const count = Math.min(availableParallelism(), 8, pictures.length);
  const children = Array.from({ length: count }, () =>
    fork(new URL('./draw-process.ts', import.meta.url), { serialization: 'advanced', execArgv: [], env: {} }),
  );
  try {
    await Promise.all(children.map((child) => drawWith(child, waiting, keep)));
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
};

/** Keeps one process busy until nothing is waiting. */
async function drawWith(child: ChildProcess, waiting: DrawJob[], keep: Parameters<DrawPictures>[1]) {
  const kept: Promise<void>[] = [];
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    const answer = await answerOf(child, job);
    if (answer.failed !== undefined) throw new Error(`A picture could not be drawn: ${answer.failed}`);
    const { print, index } = answer;
    // The next picture is drawn while this one is written; its failure still surfaces below.
    const writing = keep(print, index);
    writing.catch(() => {});
    kept.push(writing);
  }
  await Promise.all(kept);
}

const answerOf = (child: ChildProcess, job: DrawJob): Promise<DrawAnswer> =>
  new Promise((resolve, reject) => {
    const ended = (code: unknown) => reject(new Error(`The drawing process ended: ${code}`));
    child.once('exit', ended);
    child.once('error', ended);
    child.once('message', (answer: DrawAnswer) => {
      child.off('exit', ended);
      child.off('error', ended);
      resolve(answer);
    });
    child.send(job);
  });
