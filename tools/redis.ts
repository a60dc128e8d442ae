/**
 * Finds or prepares the Redis server for the tests, and verifies it by its version: the one named by REDIS_SERVER; else an
 * installed one (or Valkey); else Debian's package, downloaded and unpacked into a cache folder, which needs no
 * privileges. Run as a program it prints the path.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, 'node_modules', '.cache', 'quad-redis');
const programs = ['redis-server', 'valkey-server'];
const oldestMajor = 6;
/** Timeout of each download step. */
const timeoutMs = 120_000;

interface RedisProgram {
  path: string;
  env: NodeJS.ProcessEnv;
}

/** Returns the path of a working Redis server. Throws, with what was tried, when there is none. */
export function prepareRedis(): RedisProgram {
  const failures: string[] = [];
  for (const find of [named, installed, fromDebian]) {
    try {
      const found = find();
      if (!found) continue;
      const failure = tryOut(found);
      if (!failure) return found;
      failures.push(`${found.path}: ${failure}`);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
    if (find === named) break;
  }
  throw new Error(
    [
      `No Redis server for the tests: install one (${oldestMajor} or newer), or name it in REDIS_SERVER.`,
      ...failures,
    ].join('\n'),
  );
}

function named(): RedisProgram | undefined {
  return process.env.REDIS_SERVER ? { path: process.env.REDIS_SERVER, env: process.env } : undefined;
}

function installed(): RedisProgram | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin'];
  const path = programs
    .flatMap((it) => folders.map((folder) => join(folder, it)))
    .find((it) => existsSync(it));
  return path === undefined ? undefined : { path, env: process.env };
}

function fromDebian(): RedisProgram | undefined {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return undefined;
  const folder = join(cache, 'unpacked');
  if (!existsSync(folder)) unpack(folder);
  const libraries = globSync(`${folder}/usr/lib/*-linux-*`).join(delimiter);
  return {
    path: join(folder, 'usr', 'bin', 'redis-server'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
    },
  };
}

/** Downloads the package and its missing dependencies, verified by apt's signed lists in a separate folder. */
function unpack(folder: string): void {
  process.stderr.write("Fetching Debian's Redis for the tests ...\n");
  const work = `${folder}.${process.pid}`;
  const unpacked = join(work, 'unpacked');
  for (const part of ['lists/partial', 'cache/archives/partial', 'packages', 'unpacked'])
    mkdirSync(join(work, part), { recursive: true });
  const apt = (...args: string[]): string => {
    const places = [`Dir::State::Lists=${work}/lists`, `Dir::Cache=${work}/cache`];
    const manners = ['APT::Sandbox::User=root', 'Acquire::Retries=1', 'Acquire::http::Timeout=15'];
    const options = [...places, ...manners].flatMap((it) => ['-o', it]);
    const how = { cwd: join(work, 'packages'), encoding: 'utf8', timeout: timeoutMs } as const;
    return outputOf(spawnSync('apt-get', [...options, '-qq', ...args], how));
  };
  try {
    apt('update');
    const plan = apt('install', '--simulate', '--no-install-recommends', 'redis-server');
    const names = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
    if (names.length === 0) throw new Error("Debian's package redis-server cannot be had");
    apt('download', ...names);
    for (const file of globSync(`${work}/packages/*.deb`))
      outputOf(spawnSync('dpkg-deb', ['--extract', file, unpacked], { encoding: 'utf8' }));
    renameSync(unpacked, folder);
  } catch (error) {
    // Another run may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function outputOf({ status, stdout, stderr, error }: SpawnSyncReturns<string>): string {
  if (status !== 0) throw new Error(error?.message ?? stderr.trim());
  return stdout;
}

/** Returns what is wrong with it, if anything. */
function tryOut({ path, env }: RedisProgram): string | undefined {
  const { stdout, stderr, error } = spawnSync(path, ['--version'], { env, encoding: 'utf8' });
  const [, major] = /v=(\d+)\./.exec(stdout ?? '') ?? [];
  if (major === undefined) return error?.message ?? (stderr || 'it does not say its version');
  return Number(major) < oldestMajor ? `version ${major} is too old` : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`${prepareRedis().path}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
