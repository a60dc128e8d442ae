import type { Bucket, Photo } from '#contract/photos.ts';
import { publicUrl } from '#contract/photos.ts';
import type { Queryable, Transaction } from '#server/platform/postgres/database.ts';
import type { ObjectName } from './names.ts';

export interface StoredObject extends ObjectName {
  owner_id: string;
  width: number;
  height: number;
  thumbhash: string;
  bytes: number;
  created_at: Date;
}

export const insertObject = async (sql: Queryable, object: StoredObject): Promise<void> => {
  const { bucket, path, owner_id, width, height, thumbhash, bytes, created_at } = object;
  await sql`
    INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
    VALUES (${bucket}, ${path}, ${owner_id}, ${width}, ${height}, ${thumbhash}, ${bytes}, ${created_at})`;
};

/** Locked until the end of the transaction, against removal and against a listing taking it up. */
export const findObjectForRemoval = async (
  transaction: Transaction,
  { bucket, path }: ObjectName,
): Promise<StoredObject | undefined> => {
  const [object] = await transaction<StoredObject[]>`
    SELECT bucket, path, owner_id, width, height, thumbhash, bytes, created_at
    FROM private.objects WHERE bucket = ${bucket} AND path = ${path} FOR UPDATE`;
  return object;
};

/** Whether a listing (draft or published) or the profile of its owner shows the object. */
export const isObjectInUse = async (
  sql: Queryable,
  { bucket, path, owner_id }: ObjectName & { owner_id: string },
): Promise<boolean> => {
  const url = publicUrl(bucket, path);
  const [row] = await sql<{ used: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM listings WHERE user_id = ${owner_id} AND ${url} = ANY (photos))
      OR EXISTS (SELECT 1 FROM users WHERE id = ${owner_id} AND avatar_url = ${url}) AS used`;
  return row?.used ?? false;
};

export const deleteObject = async (sql: Queryable, { bucket, path }: ObjectName): Promise<void> => {
  await sql`DELETE FROM private.objects WHERE bucket = ${bucket} AND path = ${path}`;
};

/** Locks what it finds against removal until the end of the caller's transaction. */
export const listOwnedUrls = async (
  sql: Queryable,
  owner: string,
  bucket: Bucket,
  urls: readonly string[],
): Promise<string[]> => {
  const rows = await sql<{ url: string }[]>`
    SELECT url FROM private.objects
    WHERE owner_id = ${owner} AND bucket = ${bucket} AND url = ANY (${[...urls]}) FOR SHARE`;
  return rows.map((row) => row.url);
};

export const listPhotos = (sql: Queryable, urls: readonly string[]): Promise<Photo[]> =>
  sql<Photo[]>`
    SELECT url, width, height, thumbhash FROM private.objects WHERE url = ANY (${[...urls]})`;

const isUnused = (sql: Queryable) => sql`
  NOT EXISTS (SELECT 1 FROM listings l WHERE l.user_id = o.owner_id AND o.url = ANY (l.photos))
  AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = o.owner_id AND u.avatar_url = o.url)`;

/** Objects stored before an instant that nothing shows now, in order of their address. */
export const listUnused = (
  sql: Queryable,
  wanted: { storedBefore: Date; after: string; limit: number },
): Promise<(ObjectName & { url: string })[]> =>
  sql<(ObjectName & { url: string })[]>`
    SELECT bucket, path, url FROM private.objects o
    WHERE created_at < ${wanted.storedBefore} AND url > ${wanted.after} AND ${isUnused(sql)}
    ORDER BY url LIMIT ${wanted.limit}`;

/** Locks those that nobody is just taking up or removing, until the end of the transaction, and answers them. */
export const lockIdle = async (tx: Transaction, urls: readonly string[]): Promise<string[]> => {
  const rows = await tx<{ url: string }[]>`
    SELECT url FROM private.objects WHERE url = ANY (${[...urls]}) ORDER BY url FOR UPDATE SKIP LOCKED`;
  return rows.map((row) => row.url);
};

/** Deletes those of these that nothing shows, as far as is committed when this statement begins. */
export const deleteUnused = (tx: Transaction, urls: readonly string[]): Promise<ObjectName[]> =>
  tx<ObjectName[]>`
    DELETE FROM private.objects o WHERE url = ANY (${[...urls]}) AND ${isUnused(tx)} RETURNING bucket, path`;

/** Which of these paths of a bucket are known. */
export const listKnownPaths = async (
  sql: Queryable,
  bucket: Bucket,
  paths: readonly string[],
): Promise<string[]> => {
  const rows = await sql<{ path: string }[]>`
    SELECT path FROM private.objects WHERE bucket = ${bucket} AND path = ANY (${[...paths]})`;
  return rows.map((row) => row.path);
};

/** All objects, some at a time. */
export const readObjects = (sql: Queryable): AsyncIterable<ObjectName[]> =>
  sql<ObjectName[]>`SELECT bucket, path FROM private.objects`.cursor(200);
