import { z } from 'zod';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { listFileKeys, type ObjectName, parseObjectUrl } from './object-names.ts';
import { asCallerOwnedObject } from './policy.ts';
import * as repository from './repository.ts';

/**
 * Queue of files that a listing or profile no longer uses. They are removed after the transaction commits, with
 * retries.
 */
export const fileRemovalQueue: QueueDefinition<{ urls: string[] }> = {
  name: 'remove-files',
  retries: 20,
  retryDelay: 10,
  payload: z.object({ urls: z.array(z.string()) }),
};

/** Queues the removal of files. Call it in the transaction that removes the last reference to them. */
export const queueFileRemoval = (
  { jobs }: App,
  tx: Queryable,
  urls: string[],
  options?: { delaySeconds: number },
): Promise<void> => jobs.enqueue(tx, fileRemovalQueue, { urls }, options);

export const deletePhotoFiles = async ({ files }: App, object: ObjectName): Promise<void> => {
  for (const { key } of listFileKeys(object)) await files.delete(key);
};

/** Removes one of the person's own objects, unless a listing or the profile still uses it. */
export const removeOwnPhoto = async (app: App, userId: string, object: ObjectName): Promise<void> => {
  await runInTransaction(app.sql, async (tx) => {
    const found = asCallerOwnedObject(await repository.findObjectForRemoval(tx, object), userId);
    if (!found) throw createProblem('object_not_found');
    if (await repository.isObjectInUse(tx, found)) throw createProblem('photo_in_use');
    await repository.deleteObject(tx, found);
  });
  await deletePhotoFiles(app, object);
};

/**
 * Removes the objects with these URLs, except those still in use. The call can be repeated after an
 * interruption.
 */
export const removeUnusedPhotos = async (app: App, urls: readonly string[]): Promise<void> => {
  for (const object of urls.map(parseObjectUrl)) {
    if (!object) continue;
    const isInUse = await runInTransaction(app.sql, async (tx) => {
      const found = await repository.findObjectForRemoval(tx, object);
      if (!found) return false;
      if (await repository.isObjectInUse(tx, found)) return true;
      await repository.deleteObject(tx, found);
      return false;
    });
    if (!isInUse) await deletePhotoFiles(app, object);
  }
};
