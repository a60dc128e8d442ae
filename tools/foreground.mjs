import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { bundledNodePath, createProjectEnvironment, projectRoot } from './setup/project.mjs';

/**
 * Runs a script with the Node version of the project. The script uses the terminal of this process and
 * receives its signals, and this process exits with the script's exit code. If this process is killed, the
 * script gets a `disconnect` event and should exit.
 */
export function runScriptInForeground(args) {
  const child = spawn(bundledNodePath, args, {
    cwd: projectRoot,
    env: createProjectEnvironment(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const createForwarder = (signal) => () => child.kill(signal);
  process.on('SIGTERM', createForwarder('SIGTERM'));
  process.on('SIGHUP', createForwarder('SIGHUP'));
  // Ctrl-C in a terminal already sends SIGINT to the child process, so this process must not forward it.
  process.on('SIGINT', process.stdin.isTTY ? () => undefined : createForwarder('SIGINT'));
  if (process.env.npm_lifecycle_event) stopChildWithNpm(child);
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    process.exit(signal ? 128 + (constants.signals[signal] || 0) : code || 0);
  });
}

/**
 * Stops the child process when npm, or the shell that npm started, has exited. A killed npm does not notify
 * its children, and npm forwards SIGTERM only to the shell. Without this function the server would keep
 * running, and the next start would find the port in use.
 */
function stopChildWithNpm(child) {
  const shell = process.ppid;
  const npm = getParentPid(shell);
  const timer = setInterval(
    () => {
      if (process.ppid === shell && getParentPid(shell) === npm) return;
      clearInterval(timer);
      child.kill('SIGTERM');
    },
    process.platform === 'linux' ? 100 : 1000,
  );
  timer.unref();
}

function getParentPid(pid) {
  try {
    if (process.platform === 'win32') return undefined;
    if (process.platform === 'linux') {
      // In /proc/<pid>/stat, the parent's id is the second field after the command name, which is
      // in parentheses and may contain any character.
      return Number(
        readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[1],
      );
    }
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch (_) {
    return undefined;
  }
}
