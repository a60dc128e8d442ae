/**
 * One run of the tests: its programs, and what they start. A run has its own folder for temporary files, by which
 * its browsers, servers and databases are found when it ends, also when it is interrupted.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const endTimeoutMs = 10_000;

/**
 * Starts a test run. Until `end` is called, SIGINT, SIGTERM and SIGHUP end the run and its processes, and this process
 * exits with 128 plus the number of the signal.
 */
export function startTestRun() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'quad-run-'));
  // A cluster's PostgreSQL runs as the system user postgres, whose folders are inside.
  chmodSync(folder, 0o711);
  const programs = new Set();
  let isInterrupted = false;

  const interrupt = async (signal, number) => {
    if (isInterrupted) return;
    isInterrupted = true;
    for (const program of programs) program.kill(signal);
    await Promise.race([Promise.all([...programs].map(waitForExit)), delay(endTimeoutMs)]);
    await end();
    process.exit(128 + number);
  };
  const end = async () => {
    await endProcesses([folder, ...[...programs].map(({ pid }) => `/dev/shm/quad-test-${pid}-`)]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.on('SIGINT', () => interrupt('SIGINT', 2));
  process.on('SIGTERM', () => interrupt('SIGTERM', 15));
  process.on('SIGHUP', () => interrupt('SIGHUP', 1));

  return {
    /** Runs a program with its output in the terminal; resolves with its exit code, or with null if a signal ended it. */
    async run(command, args, options) {
      const program = spawn(command, args, {
        ...options,
        env: { ...options.env, TMPDIR: folder },
        stdio: 'inherit',
      });
      programs.add(program);
      await waitForExit(program);
      if (isInterrupted) await new Promise(() => {});
      return program.exitCode;
    },
    /** Ends the processes that the programs have left running, and deletes the folder. */
    end,
  };
}

const waitForExit = (program) =>
  program.exitCode !== null || program.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => program.once('exit', resolve));

/** Ends the processes whose working directory or folder for temporary files begins with one of the paths. */
async function endProcesses(paths) {
  const begun = Date.now();
  for (;;) {
    const found = listProcesses().filter((pid) => belongsTo(pid, paths));
    if (found.length === 0 || Date.now() - begun > endTimeoutMs) return;
    // PostgreSQL closes its connections and stops at once on SIGINT; on SIGTERM it would wait for them.
    const signal = Date.now() - begun > endTimeoutMs / 2 ? 'SIGKILL' : 'SIGINT';
    for (const pid of found) tryTo(() => process.kill(pid, signal));
    await delay(200);
  }
}

/** Returns the ids of all other processes, or none where /proc does not exist. */
const listProcesses = () =>
  (tryTo(() => readdirSync('/proc')) ?? [])
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid);

const belongsTo = (pid, paths) => {
  const environment = tryTo(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? '';
  const workingDirectory = tryTo(() => readlinkSync(`/proc/${pid}/cwd`)) ?? '';
  return paths.some(
    (path) => workingDirectory.startsWith(path) || environment.split('\0').includes(`TMPDIR=${path}`),
  );
};

const tryTo = (action) => {
  try {
    return action();
  } catch (_) {
    // The process has ended in the meantime, or belongs to somebody else.
    return undefined;
  }
};
