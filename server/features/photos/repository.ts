import type { StorageBucket } from '#contract/photos.ts';
import { iterateRows } from '#server/platform/postgres/cursor.ts';
import type { Queryable, Sql, Transaction } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';
import { listFileKeys, type ObjectName } from './object-names.ts';

export type StoredObject = ObjectName &
  Pick<Tables['objects'], 'owner_id' | 'width' | 'height' | 'thumbhash' | 'bytes' | 'created_at'>;

export const insertObject = async (sql: Queryable, object: StoredObject): Promise<void> => {
  const { bucket, path, owner_id, width, height, thumbhash, bytes, created_at } = object;
  await sql`
    INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
    VALUES (${bucket}, ${path}, ${owner_id}, ${width}, ${height}, ${thumbhash}, ${bytes}, ${created_at})`;
};

/** A photo whose files were copied to another path of its bucket. */
export interface ObjectCopy {
  bucket: StorageBucket;
  /** Path of the original. */
  from: string;
  /** Path of the copy. */
  to: string;
}

/**
 * Inserts the rows of copies of a person's objects, except those whose original has no row any more. Returns the URLs of
 * the inserted copies, in the order of `copies`.
 */
export const insertObjectCopies = async (
  sql: Queryable,
  { userId, copies, now }: { userId: string; copies: readonly ObjectCopy[]; now: Date },
): Promise<string[]> => {
  if (copies.length === 0) return [];
  const rows = await sql<{ url: string; path: string }[]>`
    INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
    SELECT o.bucket, copy.target, o.owner_id, o.width, o.height, o.thumbhash, o.bytes, ${now}
    FROM unnest(${copies.map(({ bucket }) => bucket)}::text[], ${copies.map(({ from }) => from)}::text[],
      ${copies.map(({ to }) => to)}::text[]) AS copy (bucket, source, target)
    JOIN private.objects o ON o.bucket = copy.bucket AND o.path = copy.source
    WHERE o.owner_id = ${userId}
    RETURNING url, path`;
  return copies.flatMap(({ to }) => rows.find(({ path }) => path === to)?.url ?? []);
};

/**
 * Finds an object and locks it until the transaction ends, so that no listing can start to use it and no other call can
 * remove it.
 */
export const findObjectForRemoval = async (
  transaction: Transaction,
  { bucket, path }: ObjectName,
): Promise<StoredObject | undefined> => {
  const [object] = await transaction<StoredObject[]>`
    SELECT bucket, path, owner_id, width, height, thumbhash, bytes, created_at
    FROM private.objects WHERE bucket = ${bucket} AND path = ${path} FOR UPDATE`;
  return object;
};

const unusedCondition = fragment`
  NOT EXISTS (SELECT 1 FROM listings l WHERE l.user_id = o.owner_id AND o.url = ANY (l.photos))
  AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = o.owner_id AND u.avatar_url = o.url)
  AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = o.message_id)`;

export const isObjectInUse = async (sql: Queryable, { bucket, path }: ObjectName): Promise<boolean> => {
  const rows = await sql`
    SELECT 1 FROM private.objects o WHERE bucket = ${bucket} AND path = ${path} AND NOT (${unusedCondition})`;
  return rows.length > 0;
};

export const deleteObject = async (sql: Queryable, { bucket, path }: ObjectName): Promise<void> => {
  await sql`DELETE FROM private.objects WHERE bucket = ${bucket} AND path = ${path}`;
};

/** Returns which of these photo URLs belong to the person, and locks their rows until the transaction ends. */
export const listOwnedUrls = async (
  sql: Queryable,
  owner: string,
  bucket: StorageBucket,
  urls: readonly string[],
): Promise<string[]> => {
  const rows = await sql<{ url: string }[]>`
    SELECT url FROM private.objects
    WHERE owner_id = ${owner} AND bucket = ${bucket} AND url = ANY (${[...urls]}) FOR SHARE`;
  return rows.map((row) => row.url);
};

/** Lists objects stored before the given time that no listing, profile or message uses, ordered by URL. */
export const listUnusedObjects = (
  sql: Queryable,
  wanted: { storedBefore: Date; after: string; limit: number },
): Promise<(ObjectName & { url: string })[]> =>
  sql<(ObjectName & { url: string })[]>`
    SELECT bucket, path, url FROM private.objects o
    WHERE created_at < ${wanted.storedBefore} AND url > ${wanted.after} AND ${unusedCondition}
    ORDER BY url LIMIT ${wanted.limit}`;

/**
 * Locks the objects with these URLs until the transaction ends, skipping those that another
 * transaction has locked; returns the locked URLs.
 */
export const lockUnlockedObjects = async (tx: Transaction, urls: readonly string[]): Promise<string[]> => {
  const rows = await tx<{ url: string }[]>`
    SELECT url FROM private.objects WHERE url = ANY (${[...urls]}) ORDER BY url FOR UPDATE SKIP LOCKED`;
  return rows.map((row) => row.url);
};

/**
 * Deletes and returns the objects with these URLs that no listing, profile or message uses. The statement
 * sees every save committed before it started.
 */
export const deleteUnusedObjects = (tx: Transaction, urls: readonly string[]): Promise<ObjectName[]> =>
  tx<ObjectName[]>`
    DELETE FROM private.objects o WHERE url = ANY (${[...urls]}) AND ${unusedCondition} RETURNING bucket, path`;

/** Lists the photos of the listings that are taken down, or of those of them that have one of the ids. */
export const listTakenDownPhotos = async (
  sql: Queryable,
  ids?: readonly string[],
): Promise<{ id: string; photos: string[] }[]> => {
  if (ids?.length === 0) return [];
  return sql<{ id: string; photos: string[] }[]>`
    SELECT id, photos FROM listings
    WHERE hidden_with = 'listing' ${ids ? fragment`AND id = ANY (${[...ids]})` : fragment``}`;
};

/** Lists the ids of the suspended people, or of those of them that have one of the ids. */
export const listSuspendedIds = async (sql: Queryable, ids?: readonly string[]): Promise<string[]> => {
  if (ids?.length === 0) return [];
  const rows = await sql<{ user_id: string }[]>`
    SELECT user_id FROM private.credentials
    WHERE suspended_at IS NOT NULL ${ids ? fragment`AND user_id = ANY (${[...ids]})` : fragment``}`;
  return rows.map(({ user_id: userId }) => userId);
};

/** Returns which of these paths in a bucket have a row. */
export const listPathsWithRow = async (
  sql: Queryable,
  bucket: StorageBucket,
  paths: readonly string[],
): Promise<string[]> => {
  const rows = await sql<{ path: string }[]>`
    SELECT path FROM private.objects WHERE bucket = ${bucket} AND path = ANY (${[...paths]})`;
  return rows.map((row) => row.path);
};

/** Iterates over the keys of all files of stored photos and avatars, including resized copies. */
export async function* listPhotoFiles(sql: Queryable): AsyncGenerator<{ key: string; derived: boolean }> {
  const objects = iterateRows<ObjectName>(sql, fragment`SELECT bucket, path FROM private.objects`);
  for await (const object of objects) yield* listFileKeys(object);
}

/** A person's upload slot, exclusive until it is released or its lease ends. */
export type UploadSlot = Pick<Tables['uploads_under_way'], 'user_id' | 'place' | 'until'>;

/**
 * Acquires one of a person's `slots` upload slots until its lease ends (`until`); returns undefined when all are taken.
 * If a concurrent call acquires the same slot first, tries the next one.
 */
export const acquireUploadSlot = async (
  sql: Sql,
  { userId, slots, now, until }: { userId: string; slots: number; now: Date; until: Date },
): Promise<UploadSlot | undefined> => {
  for (let attempt = 0; attempt < slots; attempt += 1) {
    const [acquired] = await sql<UploadSlot[]>`
      INSERT INTO private.uploads_under_way AS kept (user_id, place, until)
      SELECT ${userId}, place, ${until}::timestamptz FROM generate_series(1, ${slots}::int) AS place
      WHERE NOT EXISTS (
        SELECT 1 FROM private.uploads_under_way AS other
        WHERE other.user_id = ${userId} AND other.place = place.place AND other.until > ${now})
      ORDER BY place LIMIT 1
      ON CONFLICT (user_id, place) DO UPDATE SET until = excluded.until WHERE kept.until <= ${now}
      RETURNING user_id, place, until`;
    if (acquired) return acquired;
  }
  return undefined;
};

/** Extends the lease of a slot; returns undefined when it has ended and another upload has taken the slot. */
export const renewUploadSlot = async (
  sql: Sql,
  { user_id, place, until }: UploadSlot,
  newUntil: Date,
): Promise<UploadSlot | undefined> => {
  const [renewed] = await sql<UploadSlot[]>`
    UPDATE private.uploads_under_way SET until = ${newUntil}
    WHERE user_id = ${user_id} AND place = ${place} AND until = ${until}
    RETURNING user_id, place, until`;
  return renewed;
};

/** Releases a slot; does nothing when its lease has ended, because another upload may hold the slot by now. */
export const releaseUploadSlot = async (sql: Sql, { user_id, place, until }: UploadSlot): Promise<void> => {
  await sql`
    DELETE FROM private.uploads_under_way
    WHERE user_id = ${user_id} AND place = ${place} AND until = ${until}`;
};
