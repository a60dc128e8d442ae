import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type StorageBucket, storageBuckets, toPublicFileUrl } from '#contract/photos.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  type StoredPhotoServer,
  startDiskPhotoServer,
  startS3PhotoServer,
} from '#server/testing/photo-stores.ts';
import { createTestPhoto, type PhotoServer } from '#server/testing/photos.ts';
import { removeOrphanedPhotos } from './orphans.ts';
import { listOwnedPhotos } from './reading.ts';
import * as repository from './repository.ts';

let server: PhotoServer;
let files: FileStore;
let owner: string;
let stopServer: () => Promise<void>;
const openServer = async (start: () => Promise<StoredPhotoServer>) => {
  ({ server, files, stop: stopServer } = await start());
  // The test clock starts at the real time, because file times come from the clock of the machine.
  server.clock.set(new Date());
  owner = await server.addUser();
};
afterEach(() => stopServer());

const countFilesByUrl = async () => {
  const counts: Record<string, number> = {};
  for (const bucket of storageBuckets) {
    for await (const { key } of files.list(bucket)) {
      const url = toPublicFileUrl(bucket, key.slice(bucket.length + 1)).replace(/@.*$/, '');
      counts[url] = (counts[url] ?? 0) + 1;
    }
  }
  return counts;
};
const listKnownUrls = async () => (await server.objects()).map((row) => row.url as string).sort();

const upload = async (bucket: StorageBucket = 'listing-photos', userId = owner): Promise<string> => {
  const stored = await server.upload(userId, { bytes: await createTestPhoto() }, bucket);
  return stored.publicUrl;
};
const insertListing = async (photos: string[], status = 'draft', sql: Queryable = server.sql) => {
  const now = server.clock.now();
  await sql`
    INSERT INTO listings (slug, user_id, photos, status, created_at, updated_at, published_at, title, description,
      price, category, condition, location, contact_email)
    VALUES (${randomUUID()}, ${owner}, ${photos}, ${status}, ${now}, ${now}, ${now}, 'Solid oak desk',
      ${'Sturdy desk from my dorm room. '.repeat(2)}, 5, 'furniture', 'good', 'Parkside', 'seller@usc.edu')`;
};
const advanceOneDay = () => server.clock.advance(dayInSeconds + 60);

describe.each([
  ['on disk', startDiskPhotoServer],
  ['in an S3 store', startS3PhotoServer],
])('the removal of orphans %s', (_name, start) => {
  beforeEach(() => openServer(start));

  test('deletes unused uploads after a day and keeps photos in use', async () => {
    const draft = await upload();
    const published = await upload();
    const avatar = await upload('avatars');
    const unused = [await upload(), await upload('avatars')];
    await insertListing([draft]);
    await insertListing([published], 'published');
    await server.sql`UPDATE users SET avatar_url = ${avatar} WHERE id = ${owner}`;

    server.clock.advance(dayInSeconds - 60);
    await removeOrphanedPhotos(server.app);
    expect(await listKnownUrls()).toEqual([draft, published, avatar, ...unused].sort());

    advanceOneDay();
    const recent = await upload();
    await removeOrphanedPhotos(server.app);
    const expected = [draft, published, avatar, recent].sort();
    expect(await listKnownUrls()).toEqual(expected);
    const stored = await countFilesByUrl();
    expect(Object.keys(stored).sort()).toEqual(expected);
    expect([stored[draft], stored[published], stored[recent]]).toEqual([13, 13, 13]);
  });

  test('deletes replaced photos and those of deleted listings unless they are used elsewhere', async () => {
    const [shared, dropped] = [await upload(), await upload()];
    await insertListing([shared, dropped]);
    await insertListing([shared]);
    const [replaced, current] = [await upload('avatars'), await upload('avatars')];
    await server.sql`UPDATE users SET avatar_url = ${replaced} WHERE id = ${owner}`;
    await server.sql`UPDATE users SET avatar_url = ${current} WHERE id = ${owner}`;
    await server.sql`DELETE FROM listings WHERE ${dropped} = ANY (photos)`;
    advanceOneDay();
    await removeOrphanedPhotos(server.app);
    expect(await listKnownUrls()).toEqual([shared, current].sort());
    expect(Object.keys(await countFilesByUrl()).sort()).toEqual([shared, current].sort());
  });

  test('deletes the files of a deleted account', async () => {
    const deletedUser = await server.addUser();
    const used = await upload();
    await insertListing([used]);
    await upload('listing-photos', deletedUser);
    await upload('avatars', deletedUser);
    await server.sql`DELETE FROM users WHERE id = ${deletedUser}`;
    await removeOrphanedPhotos(server.app);
    expect(Object.keys(await countFilesByUrl())).toHaveLength(3);
    advanceOneDay();
    await removeOrphanedPhotos(server.app);
    expect(await countFilesByUrl()).toEqual({ [used]: 13 });
  });
});

describe('orphans and concurrent saves', () => {
  beforeEach(() => openServer(startDiskPhotoServer));

  const insertPhotos = async (count: number) => {
    const now = server.clock.now();
    const paths = Array.from({ length: count }, () => `${owner}/${randomUUID()}.jpg`);
    for (const path of paths) {
      await files.put(`listing-photos/${path}`, Buffer.from('x'), { contentType: 'image/jpeg' });
      await repository.insertObject(server.sql, {
        ...{ bucket: 'listing-photos', path, owner_id: owner, width: 1, height: 1 },
        ...{ thumbhash: 'abc=', bytes: 1, created_at: now },
      });
    }
    return paths.map((path) => toPublicFileUrl('listing-photos', path));
  };
  const save = (url: string, sql: Queryable) =>
    listOwnedPhotos(server.app, owner, 'listing-photos', [url], sql);

  test('deletes more than one batch per run', async () => {
    await insertPhotos(230);
    advanceOneDay();
    await removeOrphanedPhotos(server.app);
    expect(await listKnownUrls()).toEqual([]);
    expect(await countFilesByUrl()).toEqual({});
  });

  test('skips, without waiting, a photo that is being saved', async () => {
    const [url = ''] = await insertPhotos(1);
    advanceOneDay();
    await server.sql.begin(async (tx) => {
      expect(await save(url, tx)).toEqual([url]);
      await removeOrphanedPhotos(server.app);
      await insertListing([url], 'draft', tx);
    });
    await removeOrphanedPhotos(server.app);
    expect(await listKnownUrls()).toEqual([url]);
    expect(await countFilesByUrl()).toEqual({ [url]: 1 });
  });

  test('keeps a photo whose save commits just before the cleanup locks it', async () => {
    const [url = ''] = await insertPhotos(1);
    advanceOneDay();
    const query = { storedBefore: server.clock.now(), after: '', limit: 10 };
    expect(await repository.listUnusedObjects(server.sql, query)).toHaveLength(1);
    await insertListing([url]);
    const removed = await server.sql.begin(async (tx) =>
      repository.deleteUnusedObjects(tx, await repository.lockUnlockedObjects(tx, [url])),
    );
    expect(removed).toHaveLength(0);
    expect(await listKnownUrls()).toEqual([url]);
  });

  test('a save that starts after the cleanup has locked a photo no longer finds it', async () => {
    const [url = ''] = await insertPhotos(1);
    let saving: Promise<string[]> | undefined;
    await server.sql.begin(async (tx) => {
      const idle = await repository.lockUnlockedObjects(tx, [url]);
      saving = save(url, server.sql);
      const waiting = () => server.sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(waiting).toHaveLength(1);
      await repository.deleteUnusedObjects(tx, idle);
    });
    expect(await saving).toEqual([]);
  });

  test('keeps exactly the files of listed photos during concurrent saves and removals', async () => {
    const urls = await insertPhotos(60);
    advanceOneDay();
    const saves = urls.map((url) =>
      server.sql.begin(async (tx) => {
        if ((await save(url, tx)).length > 0) await insertListing([url], 'draft', tx);
      }),
    );
    await Promise.all([...saves, removeOrphanedPhotos(server.app), removeOrphanedPhotos(server.app)]);
    await removeOrphanedPhotos(server.app);
    const listed = await server.sql<{ url: string }[]>`SELECT unnest(photos) AS url FROM listings`;
    const expected = listed.map(({ url }) => url).sort();
    expect(await listKnownUrls()).toEqual(expected);
    expect(Object.keys(await countFilesByUrl()).sort()).toEqual(expected);
  });
});
