import { request } from 'node:http';
import type { Quad } from './quad.ts';

/** Returns the process ids of all workers that have ever served, in the order in which they started to. */
export const listWorkerPids = ({ output }: Pick<Quad, 'output'>): number[] =>
  [...output().matchAll(/"worker":(\d+),"msg":"a worker serves"/g)].map(([, pid]) => Number(pid));

/** Sends a request on a new connection; connections are distributed to the workers in turn. */
export const sendRequest = (
  quad: Quad,
  path: string,
  token?: string,
): Promise<{ status: number | undefined; text: string }> =>
  new Promise((done, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const asked = request(new URL(path, quad.url), { agent: false, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => done({ status: answer.statusCode, text }));
    });
    asked.on('error', reject).end();
  });

/** Sends eight requests sequentially, so that every worker gets some; concurrent requests could skip a busy worker. */
export const sendEightRequests = async (quad: Quad, path: string, token?: string) => {
  const answers: Awaited<ReturnType<typeof sendRequest>>[] = [];
  for (let turn = 0; turn < 8; turn += 1) answers.push(await sendRequest(quad, path, token));
  return answers;
};
