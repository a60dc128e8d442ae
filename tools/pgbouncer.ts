/**
 * Finds or downloads PgBouncer for the tests. Tries these candidates in order: the path in the environment variable
 * PGBOUNCER; an installed PgBouncer; Debian's package, which is unpacked into a cache folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listProgramFolders, unpackDebianPackage } from './debian-package.ts';

export interface PgBouncerProgram {
  path: string;
  env: NodeJS.ProcessEnv;
  version: string;
}

/** Returns a working PgBouncer, or in one line the reason why there is none. */
export const findPgBouncer = (): PgBouncerProgram | string => {
  try {
    const found = findCandidate();
    if (!found) return 'PgBouncer is not installed; name one in PGBOUNCER';
    const { stdout, stderr, error } = spawnSync(found.path, ['--version'], {
      env: found.env,
      encoding: 'utf8',
    });
    const [, version] = /^PgBouncer (\S+)/m.exec(stdout ?? '') ?? [];
    return version === undefined
      ? `${found.path}: ${error?.message ?? (stderr || 'no version')}`
      : { ...found, version };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const findCandidate = (): Omit<PgBouncerProgram, 'version'> | undefined => {
  if (process.env.PGBOUNCER) return { path: process.env.PGBOUNCER, env: process.env };
  const installed = listProgramFolders()
    .map((folder) => join(folder, 'pgbouncer'))
    .find((path) => existsSync(path));
  if (installed !== undefined) return { path: installed, env: process.env };
  // Of the package's dependencies only the libraries are needed; the others are scripts with which Debian
  // starts PgBouncer as a service.
  const isNeeded = (name: string) => name.startsWith('lib') && !name.endsWith('-perl');
  const unpacked = unpackDebianPackage('pgbouncer', { isNeeded });
  return unpacked && { path: join(unpacked.folder, 'usr', 'sbin', 'pgbouncer'), env: unpacked.env };
};
