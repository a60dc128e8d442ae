import { Agent, type ClientRequest, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** Visitors who ask for one thing after the other, until they are told to stop. */
export interface Visitors {
  /** Everything that failed so far, in words. */
  failures: string[];
  /** How many answers each kind of visitor has got. */
  counts(): number[];
  stop(): Promise<void>;
}

interface Reply {
  status: number;
  body: string;
}

const ask = (url: string, agent: Agent | false): Promise<Reply> =>
  new Promise((done, reject) => {
    const asked: ClientRequest = request(url, { agent, timeout: 60_000 }, (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      reply.on('end', () => done({ status: reply.statusCode ?? 0, body }));
      reply.on('error', reject);
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer within a minute')));
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // A server may close an idle connection at any time; every HTTP client asks again then (RFC 9110, 9.2.2).
      if (asked.reusedSocket && error.code === 'ECONNRESET') ask(url, agent).then(done, reject);
      else reject(error);
    });
    asked.end();
  });

/** The built files that a page names. */
const assetsIn = (html: string): string[] => [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? [])];

const passersBy = 8;
const pauseMs = 5;

/**
 * Sends visitors to a site: one that opens a connection for every request, one that keeps its connection, and a browser
 * that opens pages, each page with its files; and some who ask for one file after the other, each over a new connection,
 * so that some are just connecting whenever a server stops.
 */
export const sendVisitors = (url: string, page: Page): Visitors => {
  const failures: string[] = [];
  const counts: number[] = [];
  let ended = false;
  const again = async (visitor: number, visit: () => Promise<void>): Promise<void> => {
    for (counts[visitor] = 0; !ended; ) {
      await visit().catch((error: Error) => failures.push(String(error)));
      counts[visitor] = (counts[visitor] ?? 0) + 1;
    }
  };

  const get = async (path: string, agent: Agent | false): Promise<string> => {
    const reply = await ask(`${url}${path}`, agent).catch((error: Error) => ({
      status: 0,
      body: String(error),
    }));
    if (reply.status !== 200) failures.push(`${path}: ${reply.status} ${reply.body.slice(0, 200)}`);
    return reply.body;
  };
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 2 });
  const readPages = (agent: Agent | false) => async () => {
    for (const path of ['/', '/careers', '/rest/v1/listings', '/search?q=desk']) {
      const body = await get(path, agent);
      for (const asset of assetsIn(body).slice(0, 5)) await get(asset, agent);
    }
  };

  page.on('response', (reply) => {
    if (reply.status() >= 400) failures.push(`browser, ${reply.url()}: ${reply.status()}`);
  });
  page.on('requestfailed', (failed) => {
    const reason = failed.failure()?.errorText;
    // What a page still loads when the next one is opened is given up by the browser.
    if (reason !== 'net::ERR_ABORTED') failures.push(`browser, ${failed.url()}: ${reason}`);
  });
  const openPages = async () => {
    for (const path of ['/', '/about', '/login']) await page.goto(`${url}${path}`, { waitUntil: 'load' });
  };

  const passBy = async () => {
    await get('/favicon.svg', false);
    await delay(pauseMs);
  };
  const visiting = [readPages(false), readPages(keepAlive), openPages, ...Array(passersBy).fill(passBy)].map(
    (visit, visitor) => again(visitor, visit),
  );
  return {
    failures,
    counts: () => [...counts],
    stop: async () => {
      ended = true;
      await Promise.all(visiting);
      keepAlive.destroy();
    },
  };
};
