import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { getSharedFolder } from './shared-folder.ts';

/**
 * Returns the prepared data folder that all Playwright workers copy. The first worker that needs
 * the folder prepares it.
 */
const getPreparedDataFolder = async (
  shared: string,
  name: string,
  prepare: (folder: string) => Promise<void>,
): Promise<string> => {
  const preparedFolder = join(shared, name);
  const lock = `${preparedFolder}.lock`;
  while (!existsSync(preparedFolder)) {
    try {
      mkdirSync(lock);
    } catch {
      // Another worker is preparing the folder; wait for it.
      await delay(100);
      continue;
    }
    try {
      if (existsSync(preparedFolder)) break;
      await prepare(`${preparedFolder}.new`);
      renameSync(`${preparedFolder}.new`, preparedFolder);
    } finally {
      rmdirSync(lock);
    }
  }
  return preparedFolder;
};

/**
 * Returns a new copy of a data folder. The original is prepared only once per test run, because that takes
 * seconds. Returns undefined when there is no folder to copy: outside a test run, or when the database files
 * are not inside the data folder.
 */
export const copyPreparedData = async (
  name: string,
  prepare: (folder: string) => Promise<void>,
): Promise<string | undefined> => {
  const shared = getSharedFolder();
  if (!shared) return undefined;
  const preparedFolder = await getPreparedDataFolder(shared, name, prepare);
  // When running as root without user namespaces, `database` is a symbolic link to another folder and cannot be copied.
  if (lstatSync(join(preparedFolder, 'database')).isSymbolicLink()) return undefined;
  const dataDir = mkdtempSync(join(tmpdir(), 'quad-e2e-'));
  // Use `cp -a`, because it keeps the owners and modes of files, which PostgreSQL checks.
  await promisify(execFile)('cp', ['-a', `${preparedFolder}/.`, dataDir]);
  return dataDir;
};
