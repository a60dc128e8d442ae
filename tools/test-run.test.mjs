import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { projectRoot } from './setup/project.mjs';

/** A test program that has started a server, which shares its environment, and a database, which does not. */
const program = `
  const { spawn } = require('node:child_process');
  const wait = ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'];
  const server = spawn(process.execPath, wait, { detached: true, stdio: 'ignore' });
  const cwd = require('node:fs').mkdtempSync(process.env.TMPDIR + '/database-');
  const database = spawn(process.execPath, wait, { detached: true, stdio: 'ignore', env: {}, cwd });
  console.log(process.pid, server.pid, database.pid);
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);`;
const script = `
  import { startTestRun } from '${projectRoot}/tools/test-run.mjs';
  await startTestRun().run(process.execPath, ['-e', ${JSON.stringify(program)}], { env: process.env });`;

/** Returns whether a process runs; one that has ended has no command line, even if nothing has collected its exit code yet. */
const isAlive = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch (_) {
    return false;
  }
};

test.concurrent.skipIf(process.platform !== 'linux').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])(
  '%s ends a test run with everything that its programs have started',
  { timeout: 60_000 },
  async (signal, code) => {
    const run = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface(run.stdout), 'line');
    const pids = line.split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    run.kill(signal);
    expect(await once(run, 'exit')).toEqual([code, null]);
    expect(pids.map(isAlive)).toEqual([false, false, false]);
  },
);

test.concurrent.skipIf(process.platform !== 'linux')(
  'other system users can reach files in the folder of a run',
  async () => {
    const showMode =
      'console.log((require("node:fs").statSync(process.env.TMPDIR).mode & 0o777).toString(8))';
    const run = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
    import { startTestRun } from '${projectRoot}/tools/test-run.mjs';
    const run = startTestRun();
    await run.run(process.execPath, ['-e', ${JSON.stringify(showMode)}], { env: process.env });
    await run.end();`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [mode] = await once(createInterface(run.stdout), 'line');
    expect(mode).toBe('711');
  },
);
