import { Agent, type ClientRequest, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** Simulated visitors that send requests sequentially until they are stopped. */
export interface SimulatedVisitors {
  /** Descriptions of all failed requests so far. */
  failures: string[];
  /** Sets how long each visitor pauses after a visit, in ms (initially 0). */
  pauseBetweenVisits(ms: number): void;
  /** Returns how many visits each visitor has finished. Failed visits count, too. */
  counts(): number[];
  stop(): Promise<void>;
}

interface Reply {
  status: number;
  body: string;
}

const sendGetRequest = (url: string, agent: Agent | false): Promise<Reply> =>
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
      // A server may close an idle connection at any time; HTTP clients then retry the request (RFC 9110, section 9.2.2).
      if (asked.reusedSocket && error.code === 'ECONNRESET') sendGetRequest(url, agent).then(done, reject);
      else reject(error);
    });
    asked.end();
  });

/** Returns the paths of the built scripts and styles that a page refers to. */
const listAssets = (html: string): string[] => [
  ...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? []),
];

const fileVisitorCount = 8;
const fileRequestPauseMs = 5;

/**
 * Starts visitors of a site. Three of them load pages with their files: one opens a new connection for each
 * request, one reuses its connections, and one is a browser. The others request a single file over and over,
 * each time on a new connection, so that some of them are connecting at any moment at which a server stops.
 */
export const startVisitors = (url: string, page: Page): SimulatedVisitors => {
  const failures: string[] = [];
  const counts: number[] = [];
  let ended = false;
  let pauseMs = 0;
  const repeatVisit = async (visitor: number, visit: () => Promise<void>): Promise<void> => {
    for (counts[visitor] = 0; !ended; ) {
      await visit().catch((error: Error) => failures.push(String(error)));
      counts[visitor] = (counts[visitor] ?? 0) + 1;
      if (pauseMs > 0) await delay(pauseMs);
    }
  };

  const get = async (path: string, agent: Agent | false): Promise<string> => {
    const reply = await sendGetRequest(`${url}${path}`, agent).catch((error: Error) => ({
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
      for (const asset of listAssets(body).slice(0, 5)) await get(asset, agent);
    }
  };

  page.on('response', (reply) => {
    if (reply.status() >= 400) failures.push(`browser, ${reply.url()}: ${reply.status()}`);
  });
  page.on('requestfailed', (failed) => {
    const reason = failed.failure()?.errorText;
    // When the next page is opened, the browser aborts requests that are still loading.
    if (reason !== 'net::ERR_ABORTED') failures.push(`browser, ${failed.url()}: ${reason}`);
  });
  const openPages = async () => {
    for (const path of ['/', '/about', '/login']) await page.goto(`${url}${path}`, { waitUntil: 'load' });
  };

  const loadFile = async () => {
    await get('/favicon.svg', false);
    await delay(fileRequestPauseMs);
  };
  const visiting = [
    readPages(false),
    readPages(keepAlive),
    openPages,
    ...Array(fileVisitorCount).fill(loadFile),
  ].map((visit, visitor) => repeatVisit(visitor, visit));
  return {
    failures,
    pauseBetweenVisits: (ms) => {
      pauseMs = ms;
    },
    counts: () => [...counts],
    stop: async () => {
      ended = true;
      await Promise.all(visiting);
      keepAlive.destroy();
    },
  };
};
