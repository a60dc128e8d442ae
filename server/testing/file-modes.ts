import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * Returns the relative paths of all files and folders in a folder, at any depth, that other system accounts
 * may access.
 */
export const listPathsAccessibleToOthers = async (folder: string): Promise<string[]> => {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    if (((await stat(path)).mode & 0o077) !== 0) found.push(relative(folder, path));
  }
  return found.sort();
};
