import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStore } from '#server/platform/files/files.ts';
import { createS3FileStore } from '#server/platform/files/files-s3.ts';
import { type PhotoServer, startPhotoServer } from './photos.ts';
import { type S3Store, startS3Store } from './s3-store.ts';

export interface StoredPhotoServer {
  server: PhotoServer;
  files: FileStore;
  stop(): Promise<void>;
}

export const startDiskPhotoServer = async (): Promise<StoredPhotoServer> => {
  const opened: FileStore[] = [];
  const server = await startPhotoServer({
    wrap: (disk) => {
      opened.push(disk);
      return disk;
    },
  });
  const [files] = opened;
  if (!files) throw new Error('the server opened no file store');
  return { server, files, stop: server.stop };
};

/** Starts the photo routes with files stored on a real S3 server. */
export const startS3PhotoServer = async (): Promise<StoredPhotoServer & { store: S3Store }> => {
  const folder = await mkdtemp(join(tmpdir(), 'photos-'));
  const store = await startS3Store(folder);
  const files = createS3FileStore(store.settings);
  const server = await startPhotoServer({ wrap: () => files });
  return {
    server,
    files,
    store,
    stop: async () => {
      await server.stop();
      await files.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};
