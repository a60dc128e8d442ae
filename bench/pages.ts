/**
 * `npm run bench:pages`: how fast cached pages are sent, compared with a minimal `node:http` server that sends the same
 * bytes. Both run in their own processes on this machine; this process creates the load.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { race, raceHead, raceLine } from './race.ts';
import { type Spawned, spawnServer } from './spawned.ts';

const goal = 0.6;
const headers = { 'accept-encoding': 'br' };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const running: Spawned[] = [];
try {
  const quad = await spawnServer('server/main.ts', {
    env: { DATA_DIR: dataDir, DEMO: 'on' },
    ready: '/readyz',
  });
  running.push(quad);
  const home = await (await fetch(quad.origin)).text();
  const [listing = ''] = /\/product\/[a-z0-9-]+/.exec(home) ?? [];
  const pages = { home: '/', category: '/category/furniture', listing };
  const paths = Object.values(pages);
  const baseline = await spawnServer('bench/baseline-pages.ts', {
    env: {},
    args: [quad.origin, ...paths],
    ready: '/',
  });
  running.push(baseline);

  say(`${availableParallelism()} cores, 32 connections, Brotli; CPU time is the server's per response`);
  say(raceHead);
  for (const [name, path] of Object.entries(pages)) {
    say(raceLine(name, await race([quad, baseline], { path, headers }), goal));
  }
} finally {
  for (const server of running.reverse()) await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
