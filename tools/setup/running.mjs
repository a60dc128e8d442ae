import { spawnSync } from 'node:child_process';
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

/**
 * Runs a command and waits until it ends. If the command fails, prints `failureMessage` and exits
 * this process.
 */
export function runCommandOrExit(command, failureMessage, options) {
  const settings = Object.assign({ cwd: projectRoot, quiet: false, env: {} }, options);
  const result = spawnSync(command[0], command.slice(1), {
    cwd: settings.cwd,
    env: createProjectEnvironment(settings.env),
    stdio: settings.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: isWindows && /\.cmd$/.test(command[0]),
  });
  if (result.status === 0) return;
  if (settings.quiet) process.stderr.write(`${result.stdout || ''}${result.stderr || ''}`);
  exitWithError(failureMessage + (result.error ? ` (${result.error.message})` : ''));
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
