import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { createProjectEnvironment, isWindows, projectRoot } from './project.mjs';

/**
 * Returns a command line that runs npm. Uses the npm that started this process if there is one,
 * otherwise the npm on the PATH.
 */
export function createNpmCommand(args) {
  const program = process.env.npm_execpath;
  if (program && /npm-cli\.c?js$/.test(program)) return [process.execPath, program].concat(args);
  return [isWindows ? 'npm.cmd' : 'npm'].concat(args);
}

/** Returns whether only a shell can run a program: a script on Windows. */
export function needsShell(program) {
  return isWindows && /\.cmd$/.test(program);
}

/**
 * Runs a command and waits until it ends. If the command fails, prints `failureMessage` and exits this process. A signal
 * to this process, or the end of npm, ends the command with all its child processes.
 */
export async function runCommandOrExit(command, failureMessage, options) {
  const settings = Object.assign({ cwd: projectRoot, quiet: false, env: {} }, options);
  const output = settings.quiet ? 'pipe' : 'inherit';
  const child = spawn(command[0], command.slice(1), {
    cwd: settings.cwd,
    env: createProjectEnvironment(settings.env),
    stdio: ['ignore', output, output],
    shell: needsShell(command[0]),
    // A process group of its own, so that it can be ended with its children.
    detached: !isWindows,
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) if (stream) stream.on('data', (it) => printed.push(it));
  const stop = (signal) => {
    try {
      process.kill(isWindows ? child.pid : -child.pid, 'SIGTERM');
    } catch (_) {
      // It has already ended.
    }
    process.exit(128 + constants.signals[signal]);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const stopWatching = callWhenNpmEnds(() => stop('SIGTERM'));
  const failure = await new Promise((resolve) => {
    child.on('error', (error) => resolve(` (${error.message})`));
    child.on('close', (code) => resolve(code === 0 ? undefined : ''));
  });
  for (const signal of signals) process.removeListener(signal, stop);
  stopWatching();
  if (failure === undefined) return;
  for (const it of printed) process.stderr.write(it);
  exitWithError(failureMessage + failure);
}

/**
 * Calls `end` when npm, or the shell that npm started, has exited. A killed npm does not notify its children, and npm
 * forwards SIGTERM only to the shell. Returns a function that stops watching.
 */
export function callWhenNpmEnds(end) {
  if (!process.env.npm_lifecycle_event) return () => undefined;
  const shell = process.ppid;
  const npm = getParentPid(shell);
  const timer = setInterval(
    () => {
      if (process.ppid === shell && getParentPid(shell) === npm) return;
      clearInterval(timer);
      end();
    },
    process.platform === 'linux' ? 100 : 1000,
  );
  timer.unref();
  return () => clearInterval(timer);
}

function getParentPid(pid) {
  try {
    if (isWindows) return undefined;
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

export function formatSecondsSince(begun) {
  return `${((Date.now() - begun) / 1000).toFixed(1)} s`;
}

export function printLine(line) {
  process.stdout.write(`${line}\n`);
}

export function exitWithError(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
