import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';
import { fail, say } from './running.mjs';

const lockFile = join(root, '.setup.lock');

/** One set-up at a time in a checkout; the file of one that was killed is taken over. */
export function withLock(work) {
  let waiting = false;
  while (!takeLock()) {
    if (!waiting) say('Another set-up is at work here; waiting for it ...');
    waiting = true;
    pause(200);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once('exit', release);
  work();
  process.removeListener('exit', release);
  release();
}

function takeLock() {
  try {
    const file = openSync(lockFile, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    // Two who take over the same abandoned file may both get here; the file names the one who has it.
    pause(50);
    return readFileSync(lockFile, 'utf8') === String(process.pid);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    if (error.code !== 'EEXIST') fail(`The set-up cannot write into ${root}: ${error.message}`);
  }
  if (!isHeld()) rmSync(lockFile, { force: true });
  return false;
}

function isHeld() {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    // Made a moment ago and not filled in yet.
    if (!pid) return Date.now() - statSync(lockFile).mtimeMs < 5000;
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
