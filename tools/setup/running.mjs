import { spawnSync } from 'node:child_process';
import { projectEnvironment, root, windows } from './project.mjs';

/** The npm that started us if one did, else the one on the path. */
export function npm(args) {
  const program = process.env.npm_execpath;
  if (program && /npm-cli\.c?js$/.test(program)) return [process.execPath, program].concat(args);
  return [windows ? 'npm.cmd' : 'npm'].concat(args);
}

/** Runs a program to its end; when it fails, ends this process with the complaint. */
export function run(command, complaint, options) {
  const settings = Object.assign({ cwd: root, quiet: false, env: {} }, options);
  const result = spawnSync(command[0], command.slice(1), {
    cwd: settings.cwd,
    env: projectEnvironment(settings.env),
    stdio: settings.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: windows && /\.cmd$/.test(command[0]),
  });
  if (result.status === 0) return;
  if (settings.quiet) process.stderr.write(`${result.stdout || ''}${result.stderr || ''}`);
  fail(complaint + (result.error ? ` (${result.error.message})` : ''));
}

export function seconds(begun) {
  return `${((Date.now() - begun) / 1000).toFixed(1)} s`;
}

export function say(line) {
  process.stdout.write(`${line}\n`);
}

export function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
