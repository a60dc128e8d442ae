/**
 * Measures how long `npm start` takes until the server is ready, when everything is already installed and
 * built. The baseline is the time that it takes to start Node alone.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { recordResult } from './results.ts';
import { findFreePort } from './spawn-server.ts';

const goalSeconds = 3;
const startCount = 5;
const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Runs `npm start` and returns the seconds until /readyz first succeeds. */
const measureStartSeconds = async (port: number): Promise<number> => {
  const begun = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    env: { ...process.env, PORT: String(port), QUAD_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  while (!(await isReady(port)) && child.exitCode === null) await delay(10);
  const seconds = (performance.now() - begun) / 1000;
  child.kill('SIGTERM');
  await ended;
  return seconds;
};

const measureNodeStartSeconds = (): number => {
  const begun = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return (performance.now() - begun) / 1000;
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

try {
  const port = await findFreePort();
  const first = await measureStartSeconds(port);
  const times: number[] = [];
  const baseline: number[] = [];
  for (let count = 0; count < startCount; count += 1) {
    times.push(await measureStartSeconds(port));
    baseline.push(measureNodeStartSeconds());
    // The next start needs the same port, so wait until the previous server has released it.
    while (await isReady(port)) await delay(50);
  }
  const [ours, limit] = [median(times), median(baseline)];
  process.stdout.write(
    `first start, with the demo campus ${first.toFixed(2)} s; later ${ours.toFixed(2)} s; Node alone ${limit.toFixed(2)} s\n`,
  );
  recordResult({
    what: '`npm start` on a prepared checkout until ready',
    ours: `${ours.toFixed(2)} s`,
    limit: `${limit.toFixed(2)} s`,
    ratio: ours / limit,
    goal: `≤ ${goalSeconds} s`,
    met: ours <= goalSeconds,
  });
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
