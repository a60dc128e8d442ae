import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Mode of files that only the account of the server may read and write. */
export const ownerOnlyFile = 0o600;
const ownerOnlyFolder = 0o700;

/** Creates a folder, and its missing parents, for the account of the server alone. An existing one stays as it is. */
export const makeOwnerOnlyFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: ownerOnlyFolder });
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

// A folder is closed after its content, so one that is closed has been done and is not entered again.
const restrictBelow = async (folder: string): Promise<void> => {
  if (((await stat(folder)).mode & 0o777) === ownerOnlyFolder) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await restrictBelow(path);
    else if (entry.isFile()) await chmod(path, ownerOnlyFile);
  }
  await chmod(folder, ownerOnlyFolder);
};

/**
 * Revokes the access of other accounts to a folder first, then to everything below it: files 600, folders 700. What
 * an earlier run has done is skipped, so later starts read only the folder itself. A missing folder is no error.
 */
export const restrictToOwner = async (folder: string): Promise<void> => {
  try {
    await chmod(folder, ownerOnlyFolder);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await restrictBelow(path);
      else if (entry.isFile()) await chmod(path, ownerOnlyFile);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};
