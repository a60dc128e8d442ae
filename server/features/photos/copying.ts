import { randomUUID } from 'node:crypto';
import type { App } from '#server/app.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { buildObjectPath, listFileKeys, type ObjectName, parseObjectUrl } from './object-names.ts';
import { insertObjectCopies, type ObjectCopy } from './repository.ts';

/** Copies all files of a photo to another name. Returns undefined when the original is missing. */
const copyFiles = async (
  { files, clock }: App,
  userId: string,
  { bucket, path: from }: ObjectName,
): Promise<ObjectCopy | undefined> => {
  const to = buildObjectPath(bucket, userId, clock.now().getTime(), randomUUID());
  const targets = listFileKeys({ bucket, path: to });
  const sources = listFileKeys({ bucket, path: from });
  // Begin with the original, which is the last one. A missing resized copy is missing afterwards, too.
  for (const [index, source] of [...sources.entries()].reverse()) {
    const target = targets[index];
    const isCopied = target !== undefined && (await files.copy(source.key, target.key));
    if (!isCopied && !source.derived) return undefined;
  }
  return { bucket, from, to };
};

/**
 * Copies the files of a person's photos, without those that are missing. The copies are removed as orphans unless
 * `insertPhotoCopies` stores their rows within a day.
 */
export const copyPhotoFiles = async (
  app: App,
  userId: string,
  urls: readonly string[],
): Promise<ObjectCopy[]> => {
  const objects = urls.map(parseObjectUrl).filter((object) => object !== undefined);
  const copies = await Promise.all(objects.map((object) => copyFiles(app, userId, object)));
  return copies.filter((copy) => copy !== undefined);
};

/**
 * Stores the rows of copied photos, and returns the URLs. Leaves out copies whose original was removed in the meantime,
 * because they may be incomplete.
 */
export const insertPhotoCopies = (
  { clock }: App,
  tx: Queryable,
  userId: string,
  copies: readonly ObjectCopy[],
): Promise<string[]> => insertObjectCopies(tx, { userId, copies, now: clock.now() });
