import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { bundledNode, projectEnvironment, root } from './setup/project.mjs';

/**
 * Runs a script on the project's Node in place of this process: same terminal, same signals, same exit code.
 * The script gets a `disconnect` event when this process was killed and it should exit.
 */
export function runForeground(args) {
  const child = spawn(bundledNode, args, {
    cwd: root,
    env: projectEnvironment(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const forward = (signal) => () => child.kill(signal);
  process.on('SIGTERM', forward('SIGTERM'));
  process.on('SIGHUP', forward('SIGHUP'));
  // A Ctrl-C in a terminal has reached the child already.
  process.on('SIGINT', process.stdin.isTTY ? () => undefined : forward('SIGINT'));
  if (process.env.npm_lifecycle_event) endWithNpm(child);
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    process.exit(signal ? 128 + (constants.signals[signal] || 0) : code || 0);
  });
}

/**
 * A killed npm notifies nobody, and passes SIGTERM only to the shell between it and this process. Without them nothing
 * would stop the server, and the next start would find the port in use, so the server exits with them.
 */
function endWithNpm(child) {
  const shell = process.ppid;
  const npm = parentOf(shell);
  const timer = setInterval(
    () => {
      if (process.ppid === shell && parentOf(shell) === npm) return;
      clearInterval(timer);
      child.kill('SIGTERM');
    },
    process.platform === 'linux' ? 100 : 1000,
  );
  timer.unref();
}

function parentOf(pid) {
  try {
    if (process.platform === 'win32') return undefined;
    if (process.platform === 'linux') {
      // The command, in brackets, may contain anything; the fields after it are state and parent.
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
