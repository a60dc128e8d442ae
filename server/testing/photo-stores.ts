import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Files } from '#server/platform/files.ts';
import { createS3Files } from '#server/platform/files-s3.ts';
import { type PhotoHouse, startPhotoHouse } from './photos.ts';
import { type S3Store, startS3Store } from './s3-store.ts';

export interface StoredPhotoHouse {
  house: PhotoHouse;
  files: Files;
  stop(): Promise<void>;
}

/** The photo routes with the disk as their store. */
export const startDiskHouse = async (): Promise<StoredPhotoHouse> => {
  const opened: Files[] = [];
  const house = await startPhotoHouse({
    wrap: (disk) => {
      opened.push(disk);
      return disk;
    },
  });
  const [files] = opened;
  if (!files) throw new Error('the house opened no store');
  return { house, files, stop: house.stop };
};

/** The photo routes with a real S3 server as their store. */
export const startS3House = async (): Promise<StoredPhotoHouse & { store: S3Store }> => {
  const folder = await mkdtemp(join(tmpdir(), 'photos-'));
  const store = await startS3Store(folder);
  const files = createS3Files(store.settings);
  const house = await startPhotoHouse({ wrap: () => files });
  return {
    house,
    files,
    store,
    stop: async () => {
      await house.stop();
      await files.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};
