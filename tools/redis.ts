/**
 * Finds or downloads a Redis server for the tests and checks its version. Tries these candidates in
 * order: the path in the environment variable REDIS_SERVER; an installed Redis or Valkey; Debian's
 * package, which is unpacked into a cache folder and therefore needs no privileges. When run as a
 * script, prints the path of the server.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listProgramFolders, unpackDebianPackage } from './debian-package.ts';

const programNames = ['redis-server', 'valkey-server'];
const minimumMajorVersion = 6;

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
  const path = programNames
    .flatMap((it) => listProgramFolders().map((folder) => join(folder, it)))
    .find((it) => existsSync(it));
  return path === undefined ? undefined : { path, env: process.env };
}

function downloadFromDebian(): RedisProgram | undefined {
  const unpacked = unpackDebianPackage('redis-server');
  return unpacked && { path: join(unpacked.folder, 'usr', 'bin', 'redis-server'), env: unpacked.env };
}

/** Returns why this Redis server cannot be used, or undefined when it can. */
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
