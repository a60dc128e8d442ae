import { join, resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { createDiskFileStore, type FileStore } from '#server/platform/files/files.ts';

/**
 * Opens the configured file store. `check` throws when it cannot be used. The object store client is large, so it is
 * loaded only when needed.
 */
export const openFiles = async ({
  s3,
  dataDir,
}: Pick<Config, 's3' | 'dataDir'>): Promise<{
  files: FileStore;
  check: () => Promise<void>;
  close: () => unknown;
}> => {
  if (!s3)
    return {
      files: createDiskFileStore({ root: join(resolve(dataDir), 'files') }),
      check: async () => {},
      close: () => {},
    };
  const { createS3FileStore } = await import('#server/platform/files/files-s3.ts');
  const files = createS3FileStore(s3);
  return { files, check: files.check, close: files.close };
};
