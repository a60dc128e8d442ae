/**
 * One run of the tests: its programs, and what they start. A run has its own folder for temporary files, by which
 * its browsers, servers and databases are found when it ends, also when it is interrupted.
 */
import { spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const endTimeoutMs = 10_000;
const inMemoryFolder = '/dev/shm';
const folderPrefix = 'quad-run-';
/** What the data folders, databases and browser profiles of a run need at most, with room for other programs. */
const requiredMemoryBytes = 6 * 1024 ** 3;

/**
 * Starts a test run. Until `end` is called, SIGINT, SIGTERM and SIGHUP end the run and its processes, and this process
 * exits with 128 plus the number of the signal. With `inMemory: false`, the folder is on the disk.
 */
export function startTestRun({ inMemory = true } = {}) {
  removeLeftFolders();
  const parentFolder = inMemory ? chooseParentFolder() : realpathSync(tmpdir());
  const folder = mkdtempSync(join(parentFolder, `${folderPrefix}${process.pid}-`));
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

/**
 * Returns the folder for the folders of runs: in memory if possible, where databases do not wait for a disk. A server's
 * data folder has 100 MB, most of it the database's, and a test that simulates a crash kills processes, not the machine.
 */
const chooseParentFolder = () => {
  const hasMemory = tryTo(() => {
    const { bavail, bsize } = statfsSync(inMemoryFolder);
    const isExecutable = !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync('/proc/mounts', 'utf8'));
    accessSync(inMemoryFolder, constants.W_OK);
    return isExecutable && bavail * bsize >= requiredMemoryBytes;
  });
  return hasMemory ? inMemoryFolder : realpathSync(tmpdir());
};

/** Deletes the folders in memory of runs that were killed, which would take memory until the machine is restarted. */
const removeLeftFolders = () => {
  for (const name of tryTo(() => readdirSync(inMemoryFolder)) ?? []) {
    const pid = Number(new RegExp(`^${folderPrefix}(\\d+)-`).exec(name)?.[1]);
    if (pid && !tryTo(() => process.kill(pid, 0)))
      tryTo(() => rmSync(join(inMemoryFolder, name), { recursive: true, force: true }));
  }
};

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
    // It has ended in the meantime, belongs to somebody else, or does not exist on this system.
    return undefined;
  }
};
