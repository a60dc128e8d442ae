import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { bundledNodePath, createProjectEnvironment, projectRoot } from './setup/project.mjs';
import { callWhenNpmEnds } from './setup/running.mjs';

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
  // Without this the server would keep running after npm was killed, and the next start would find the port in use.
  callWhenNpmEnds(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    process.exit(signal ? 128 + (constants.signals[signal] || 0) : code || 0);
  });
}
