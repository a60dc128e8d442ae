import { request } from 'node:http';
import type { QuadServer } from './quad-server.ts';

/**
 * Returns the process ids of all workers that have become ready so far, in the order in which they
 * became ready. Includes workers that have exited.
 */
export const listWorkerPids = ({ output }: Pick<QuadServer, 'output'>): number[] =>
  [...output().matchAll(/"worker":(\d+),"msg":"a worker serves"/g)].map(([, pid]) => Number(pid));

/** Sends a request on a new connection; connections are distributed to the workers in turn. */
export const sendRequestOnNewConnection = (
  quad: QuadServer,
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

/**
 * Sends eight requests one after the other, so that every worker receives some. A busy worker might receive
 * none of eight concurrent requests.
 */
export const sendRequestsToAllWorkers = async (quad: QuadServer, path: string, token?: string) => {
  const answers: Awaited<ReturnType<typeof sendRequestOnNewConnection>>[] = [];
  for (let turn = 0; turn < 8; turn += 1) answers.push(await sendRequestOnNewConnection(quad, path, token));
  return answers;
};
