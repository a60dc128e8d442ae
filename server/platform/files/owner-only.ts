import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Mode of files that only the server's account may read and write. */
export const ownerOnlyFileMode = 0o600;
const ownerOnlyFolderMode = 0o700;

/**
 * Creates a folder and its missing parents with access only for the server's account. Leaves an existing folder
 * unchanged.
 */
export const makeOwnerOnlyFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: ownerOnlyFolderMode });
};

/** Returns whether an error of the file system says that a file or folder does not exist. */
export const isFileNotFoundError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

// A folder gets its final mode only after everything in it, so a folder that already has this mode is
// finished and can be skipped.
const restrictFolder = async (folder: string): Promise<void> => {
  if (((await stat(folder)).mode & 0o777) === ownerOnlyFolderMode) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await restrictFolder(path);
    else if (entry.isFile()) await chmod(path, ownerOnlyFileMode);
  }
  await chmod(folder, ownerOnlyFolderMode);
};

/**
 * Revokes the access of other accounts, first to a folder itself and then to everything in it: files get mode 600,
 * folders 700. Subfolders that an earlier run finished are skipped. Does nothing when the folder is missing.
 */
export const restrictToOwner = async (folder: string): Promise<void> => {
  try {
    await chmod(folder, ownerOnlyFolderMode);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await restrictFolder(path);
      else if (entry.isFile()) await chmod(path, ownerOnlyFileMode);
    }
  } catch (error) {
    if (!isFileNotFoundError(error)) throw error;
  }
};
