import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, link, open, opendir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { makeOwnerOnlyFolder, ownerOnlyFileMode } from '#server/platform/files/owner-only.ts';

/** A stored file, whose content has not been read yet. */
export interface StoredFile {
  /** Size of the content in bytes. */
  size: number;
  contentType: string;
  etag: string;
  /** Opens the content as a stream, which the caller must read to its end or destroy. */
  open(): Promise<Readable>;
}

/**
 * A store of files, on disk or in an object store. A key is a relative path of plain segments (letters, digits, `.`,
 * `_`, `-`, `@`; each begins with a letter or digit), so no key can name anything outside the store.
 */
export interface FileStore {
  /**
   * Stores the bytes, or a copy of the local file, under a new key. The write is atomic,
   * and it is durable when the call resolves.
   * Never overwrites an existing key.
   * @throws RangeError when the key is malformed; any error of the store (a full disk: code ENOSPC; an unreachable
   * store: see isStoreUnavailable).
   */
  put(
    key: string,
    content: Uint8Array | { path: string },
    about: { contentType: string },
  ): Promise<'stored' | 'exists'>;
  /**
   * Copies a stored file to a new key that nothing else uses. Returns false when there is no such file. The copy is
   * durable when the call resolves.
   * @throws the same errors as `put`.
   */
  copy(from: string, to: string): Promise<boolean>;
  /** Returns the stored file, or undefined when there is none or the key is malformed. */
  read(key: string): Promise<StoredFile | undefined>;
  /** Removes the file; does nothing when it is missing. */
  delete(key: string): Promise<void>;
  /** Iterates over the files in a folder and its subfolders, in no particular order; there may be millions. */
  list(folder: string): AsyncIterable<{ key: string; storedAt: Date }>;
  /** Removes partial files that were left by a crash before this time. */
  removeUnfinished(before: Date): Promise<void>;
}

const keySegmentPattern = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,199}$/;

/**
 * Returns whether a string is a valid file key: at most 600 characters, in segments that match
 * `keySegmentPattern`.
 */
export const isFileKey = (key: string): boolean =>
  key.length <= 600 && key.split('/').every((part) => keySegmentPattern.test(part));

/** Error code (`code`) for a store that is unreachable or temporarily failing. */
export const storeUnavailableCode = 'STORE_UNAVAILABLE';

/** Returns whether an error means that the store is unreachable or temporarily failing, so that a retry makes sense. */
export const isStoreUnavailable = (error: unknown): boolean => getErrorCode(error) === storeUnavailableCode;

const getErrorCode = (error: unknown): unknown =>
  error instanceof Error ? (('code' in error && error.code) ?? undefined) : undefined;

const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Writes a temporary file, readable only by the server's account, and syncs it to disk. */
const writeTemporary = async (target: string, content: Uint8Array | { path: string }) => {
  if ('path' in content) {
    await copyFile(content.path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    // Restrict the mode, because the copy inherits that of its source, which may allow other accounts to
    // read it.
    await chmod(target, ownerOnlyFileMode);
    await syncToDisk(target);
    return;
  }
  const handle = await open(target, 'wx', ownerOnlyFileMode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Content types of the files that are stored, by the extension of the key. */
const contentTypes: Record<string, string> = {
  '.avif': 'image/avif',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

/**
 * Creates a file store in the local folder `root`, readable only by the server's account. Content types follow from the
 * extensions of the keys.
 */
export const createDiskFileStore = ({ root }: { root: string }): FileStore => {
  // Folder of temporary files. It is in the same file system as the store, so that a finished file
  // can be linked into place.
  const incoming = join(root, '.incoming');

  const put = async (key: string, content: Uint8Array | { path: string }): Promise<'stored' | 'exists'> => {
    if (!isFileKey(key)) throw new RangeError('not a file key');
    const target = join(root, key);
    const temporary = join(incoming, randomUUID());
    await makeOwnerOnlyFolder(incoming);
    try {
      await writeTemporary(temporary, content);
      await makeOwnerOnlyFolder(dirname(target));
      // Creating a link, unlike renaming, fails when a file with this name already exists.
      await link(temporary, target);
      await syncToDisk(dirname(target));
      return 'stored';
    } catch (error) {
      if (getErrorCode(error) === 'EEXIST') return 'exists';
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  };

  return {
    put,

    async copy(from, to) {
      if (!isFileKey(from)) throw new RangeError('not a file key');
      try {
        return (await put(to, { path: join(root, from) })) === 'stored';
      } catch (error) {
        if (getErrorCode(error) === 'ENOENT') return false;
        throw error;
      }
    },

    async read(key) {
      if (!isFileKey(key)) return undefined;
      const path = join(root, key);
      const about = await stat(path).catch(() => undefined);
      if (!about?.isFile()) return undefined;
      return {
        size: about.size,
        contentType: contentTypes[extname(key)] ?? 'application/octet-stream',
        etag: `W/"${about.size.toString(16)}-${about.mtime.getTime().toString(16)}"`,
        open: async () => (await open(path)).createReadStream(),
      };
    },

    async delete(key) {
      if (isFileKey(key)) await rm(join(root, key), { force: true });
    },

    async *list(folder) {
      if (!isFileKey(folder)) return;
      const start = join(root, folder);
      if (!(await stat(start).catch(() => undefined))) return;
      for await (const entry of await opendir(start, { recursive: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const about = await stat(path).catch(() => undefined);
        if (about) yield { key: relative(root, path).split(sep).join('/'), storedAt: about.mtime };
      }
    },

    removeUnfinished: (before) => removeStaleFiles(incoming, before),
  };
};

/**
 * Removes temporary files that a crash left in a folder: everything last modified before `before`.
 * Does nothing when the folder is missing.
 */
export const removeStaleFiles = async (folder: string, before: Date): Promise<void> => {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const about = await stat(path).catch(() => undefined);
    if (about && about.mtime < before) await rm(path, { recursive: true, force: true });
  }
};
