/**
 * Finds or downloads a Redis server for the tests and checks its version. Tries these candidates in
 * order: the path in the environment variable REDIS_SERVER; an installed Redis or Valkey; Debian's
 * package, which is unpacked into a cache folder and therefore needs no privileges. When run as a
 * script, prints the path of the server.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cacheFolder = join(root, 'node_modules', '.cache', 'quad-redis');
const programNames = ['redis-server', 'valkey-server'];
const minimumMajorVersion = 6;
/** Timeout for each run of apt-get. */
const downloadTimeoutMs = 120_000;

interface RedisProgram {
  path: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Returns the path of a working Redis server and the environment variables to run it with. When no
 * candidate works, throws an error that names the reason for each.
 */
export function prepareRedis(): RedisProgram {
  const failures: string[] = [];
  for (const find of [findInEnvironment, findInstalledRedis, downloadFromDebian]) {
    try {
      const found = find();
      if (!found) continue;
      const failure = findVersionProblem(found);
      if (!failure) return found;
      failures.push(`${found.path}: ${failure}`);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
    if (find === findInEnvironment) break;
  }
  throw new Error(
    [
      `No Redis server for the tests: install one (${minimumMajorVersion} or newer), or name it in REDIS_SERVER.`,
      ...failures,
    ].join('\n'),
  );
}

function findInEnvironment(): RedisProgram | undefined {
  return process.env.REDIS_SERVER ? { path: process.env.REDIS_SERVER, env: process.env } : undefined;
}

function findInstalledRedis(): RedisProgram | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin'];
  const path = programNames
    .flatMap((it) => folders.map((folder) => join(folder, it)))
    .find((it) => existsSync(it));
  return path === undefined ? undefined : { path, env: process.env };
}

function downloadFromDebian(): RedisProgram | undefined {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return undefined;
  const folder = join(cacheFolder, 'unpacked');
  if (!existsSync(folder)) downloadPackage(folder);
  const libraries = globSync(`${folder}/usr/lib/*-linux-*`).join(delimiter);
  return {
    path: join(folder, 'usr', 'bin', 'redis-server'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
    },
  };
}

/**
 * Downloads and unpacks Debian's Redis package and those of its dependencies that are not
 * installed. apt verifies the packages with signed package lists, which it stores in a separate
 * folder.
 */
function downloadPackage(folder: string): void {
  process.stderr.write("Fetching Debian's Redis for the tests ...\n");
  const work = `${folder}.${process.pid}`;
  const unpacked = join(work, 'unpacked');
  for (const part of ['lists/partial', 'cache/archives/partial', 'packages', 'unpacked'])
    mkdirSync(join(work, part), { recursive: true });
  const apt = (...args: string[]): string => {
    const folderOptions = [`Dir::State::Lists=${work}/lists`, `Dir::Cache=${work}/cache`];
    const networkOptions = ['APT::Sandbox::User=root', 'Acquire::Retries=1', 'Acquire::http::Timeout=15'];
    const options = [...folderOptions, ...networkOptions].flatMap((it) => ['-o', it]);
    const spawnOptions = {
      cwd: join(work, 'packages'),
      encoding: 'utf8',
      timeout: downloadTimeoutMs,
    } as const;
    return getOutput(spawnSync('apt-get', [...options, '-qq', ...args], spawnOptions));
  };
  try {
    apt('update');
    const plan = apt('install', '--simulate', '--no-install-recommends', 'redis-server');
    const names = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
    if (names.length === 0) throw new Error("Debian's package redis-server cannot be had");
    apt('download', ...names);
    for (const file of globSync(`${work}/packages/*.deb`))
      getOutput(spawnSync('dpkg-deb', ['--extract', file, unpacked], { encoding: 'utf8' }));
    renameSync(unpacked, folder);
  } catch (error) {
    // If the folder exists, another process has unpacked the package first, so ignore the error.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function getOutput({ status, stdout, stderr, error }: SpawnSyncReturns<string>): string {
  if (status !== 0) throw new Error(error?.message ?? stderr.trim());
  return stdout;
}

/** Returns why this server cannot be used, or undefined when it can. */
function findVersionProblem({ path, env }: RedisProgram): string | undefined {
  const { stdout, stderr, error } = spawnSync(path, ['--version'], { env, encoding: 'utf8' });
  const [, major] = /v=(\d+)\./.exec(stdout ?? '') ?? [];
  if (major === undefined) return error?.message ?? (stderr || 'it does not say its version');
  return Number(major) < minimumMajorVersion ? `version ${major} is too old` : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`${prepareRedis().path}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
