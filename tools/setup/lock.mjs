import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project.mjs';
import { exitWithError, printLine } from './running.mjs';

const lockFile = join(projectRoot, '.setup.lock');

/**
 * Runs `work` while holding the set-up lock of this checkout. Waits while another process holds the
 * lock, and takes over the lock of a process that no longer runs.
 */
export async function withSetupLock(work) {
  let waiting = false;
  while (!tryAcquireLock()) {
    if (!waiting) printLine('Another set-up is at work here; waiting for it ...');
    waiting = true;
    sleepSync(200);
  }
  const releaseLock = () => rmSync(lockFile, { force: true });
  process.once('exit', releaseLock);
  await work();
  process.removeListener('exit', releaseLock);
  releaseLock();
}

function tryAcquireLock() {
  try {
    const file = openSync(lockFile, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    // Two processes that take over the same stale lock may both reach this line. Only the process whose id is
    // in the file holds the lock.
    sleepSync(50);
    return readFileSync(lockFile, 'utf8') === String(process.pid);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    if (error.code !== 'EEXIST')
      exitWithError(`The set-up cannot write into ${projectRoot}: ${error.message}`);
  }
  if (!isLockHeld()) rmSync(lockFile, { force: true });
  return false;
}

function isLockHeld() {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    // A lock file without a process id may be new: its process creates the file before it writes the id.
    if (!pid) return Date.now() - statSync(lockFile).mtimeMs < 5000;
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function sleepSync(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
