/**
 * `npm run bench:pages`: measures how fast Quad sends cached pages, compared with a minimal `node:http` server that sends
 * the same bytes. Both run in their own processes on this machine; this process creates the load.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareServers, comparisonTableHeader, recordComparison } from './compare-servers.ts';
import { type SpawnedServer, spawnServer } from './spawn-server.ts';

const minThroughputRatio = 0.6;
const requestHeaders = { 'accept-encoding': 'br' };
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const runningServers: SpawnedServer[] = [];
try {
  const quad = await spawnServer('server/main.ts', {
    env: { QUAD_DATA_DIR: dataDir, QUAD_DEMO: 'on' },
    ready: '/readyz',
  });
  runningServers.push(quad);
  const home = await (await fetch(quad.origin)).text();
  const [listing = ''] = /\/product\/[a-z0-9-]+/.exec(home) ?? [];
  const pages = { home: '/', category: '/category/furniture', listing };
  const paths = Object.values(pages);
  const baseline = await spawnServer('bench/baseline-pages.ts', {
    env: {},
    args: [quad.origin, ...paths],
    ready: '/',
  });
  runningServers.push(baseline);

  printLine(`${availableParallelism()} cores, 32 connections, Brotli; CPU time is the server's per response`);
  printLine(comparisonTableHeader);
  for (const [name, path] of Object.entries(pages)) {
    printLine(
      recordComparison(
        name,
        await compareServers([quad, baseline], { path, headers: requestHeaders }),
        minThroughputRatio,
      ),
    );
  }
} finally {
  for (const server of runningServers.reverse()) await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
