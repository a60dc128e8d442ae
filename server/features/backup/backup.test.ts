import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deferDeletionsDuringBackup } from '#server/platform/postgres/backup-guard.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { listMigrations } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { expectOk, type Person, startTestApp, type TestApp, testPassword } from '#server/testing/app.ts';
import { type BackupFixtures, openBackupFixtures } from '#server/testing/backups.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { buildMultipartBody, createTestPhoto, multipartContentType } from '#server/testing/photos.ts';

let sourceFixtures: BackupFixtures;
let testApp: TestApp;
let seller: Person;
let buyer: Person;
let photoUrl: string;
let listingSlug: string;
let conversationId: string;
let backupsFolder: string;
let completeBackupFolder: string;
const openedFixtures: BackupFixtures[] = [];

const openFixtures = async (options?: Parameters<typeof openBackupFixtures>[0]): Promise<BackupFixtures> => {
  const fixtures = await openBackupFixtures(options);
  openedFixtures.push(fixtures);
  return fixtures;
};
const startAppWithFixtures = async ({ sql, files, secrets }: BackupFixtures) =>
  startTestApp({ replace: { sql, search: (work) => work(sql), files, secrets: await secrets() } });

beforeAll(async () => {
  backupsFolder = await mkdtemp(join(tmpdir(), 'quad-backups-'));
  sourceFixtures = await openBackupFixtures();
  testApp = await startAppWithFixtures(sourceFixtures);
  seller = await testApp.signIn({ email: 'seller@usc.edu', fullName: 'Søren "Tab\t" Öst\\n' });
  buyer = await testApp.signIn({ email: 'buyer@usc.edu' });
  const upload = testApp.server.inject({
    method: 'POST',
    url: '/storage/v1/object/listing-photos',
    headers: { ...seller.headers, 'content-type': multipartContentType },
    payload: buildMultipartBody({ bytes: await createTestPhoto() }),
  });
  photoUrl = (await expectOk(upload)).publicUrl;
  const saved = await submitListingForm(testApp, seller, { photos: [photoUrl] });
  listingSlug = saved.body.listing.slug;
  const conversations = createConversationClient(testApp);
  conversationId = (await conversations.open(buyer, saved.body.listing.id)).body.id;
  expect(
    await conversations.send(buyer, conversationId, 'Is it still there?\nEven on Sunday \\. 🚲'),
  ).toMatchObject({
    status: 200,
  });
  expect(await conversations.send(seller, conversationId, 'Yes')).toMatchObject({ status: 200 });
  completeBackupFolder = join(backupsFolder, 'whole');
  await sourceFixtures.backup(completeBackupFolder);
});
afterEach(async () => {
  for (const fixtures of openedFixtures.splice(0)) await fixtures.close();
});
afterAll(async () => {
  await testApp.close();
  await sourceFixtures.close();
  await rm(backupsFolder, { recursive: true });
});

/**
 * Returns all rows of all tables as text, without the columns that record pending emails about
 * unread messages, because a restore clears these columns.
 */
const readAllRows = async (sql: Sql): Promise<Record<string, string[]>> => {
  const tables = await sql<{ name: string }[]>`
    SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'private') AND c.relkind = 'r' AND c.relpersistence = 'p'
      AND c.relname <> 'schema_migrations' ORDER BY 1`;
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await sql.query(`
      SELECT (to_jsonb(t) - '{buyer_waiting_since,buyer_waiting_from,seller_waiting_since,seller_waiting_from}'::text[])::text AS row
      FROM ${name} t ORDER BY 1`);
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
};

const readFileContent = async ({ files }: BackupFixtures, key: string): Promise<Buffer> => {
  const file = await files.read(key);
  if (!file) throw new Error(`no file ${key}`);
  return Buffer.concat(await (await file.open()).toArray());
};

describe.each(['disk', 's3'] as const)('restoring a backup to a %s store', (store) => {
  test('promise 44: the restored copy has the same rows and files, and serves requests', async () => {
    const copy = await openFixtures({ migrations: 0, store });
    await copy.restore(completeBackupFolder);

    const rows = await readAllRows(copy.sql);
    expect(rows).toEqual(await readAllRows(sourceFixtures.sql));
    expect(rows['public.users']).toHaveLength(2);
    expect(rows['public.messages']).toHaveLength(2);

    const keys: string[] = [];
    for await (const { key } of sourceFixtures.files.list('listing-photos')) keys.push(key);
    expect(keys.length).toBeGreaterThan(5);
    const copied: string[] = [];
    for await (const { key } of copy.files.list('listing-photos')) copied.push(key);
    expect(copied.sort()).toEqual(keys.sort());
    for (const key of keys)
      expect(await readFileContent(copy, key)).toEqual(await readFileContent(sourceFixtures, key));
    expect(await copy.secrets()).toEqual(await sourceFixtures.secrets());
    expect((await stat(join(copy.dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);

    const served = await startAppWithFixtures(copy);
    const post = (url: string, payload: object) =>
      expectOk(served.server.inject({ method: 'POST', url, payload }));
    const { authPassword } = await post('/functions/v1/login-password', {
      email: seller.email,
      password: testPassword,
    });
    const grant = await post('/auth/v1/token?grant_type=password', {
      email: seller.email,
      password: authPassword,
    });
    const headers = { authorization: `Bearer ${grant.access_token}` };
    const thread = await expectOk(
      served.server.inject({ url: `/rest/v1/conversations/${conversationId}/messages?limit=10`, headers }),
    );
    expect(thread.items.map((message: { message_text: string }) => message.message_text)).toEqual([
      'Is it still there?\nEven on Sunday \\. 🚲',
      'Yes',
    ]);
    expect((await served.server.inject({ url: photoUrl })).statusCode).toBe(200);
    expect(
      (await expectOk(served.server.inject({ url: `/rest/v1/listings/${listingSlug}` }))).photos,
    ).toEqual([photoUrl]);
    // Access tokens issued before the backup stay valid, because the backup contains the server's
    // secrets.
    expect((await served.server.inject({ url: '/rest/v1/me', headers: buyer.headers })).statusCode).toBe(200);
    await served.close();
  });
});

test('a restore clears pending unread emails, so nobody is emailed twice', async () => {
  const copy = await openFixtures({ migrations: 0 });
  const waiting = (sql: Sql) => sql`
    SELECT FROM conversations WHERE buyer_waiting_since IS NOT NULL OR seller_waiting_since IS NOT NULL`;
  expect(await waiting(sourceFixtures.sql)).toHaveLength(1);
  await copy.restore(completeBackupFolder);
  expect(await waiting(copy.sql)).toHaveLength(0);
});

/** Creates an installation with the rows of three avatars of one person, and returns the keys of their files. */
const openFixturesWithAvatars = async () => {
  const source = await openFixtures();
  await source.secrets();
  const [user] = await source.sql<{ id: string }[]>`
    INSERT INTO users (email, created_at, updated_at) VALUES ('a@usc.edu', now(), now()) RETURNING id`;
  const paths = [1, 2, 3].map((number) => `${user?.id}/${number}.jpg`);
  for (const path of paths)
    await source.sql`
      INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
      VALUES ('avatars', ${path}, ${user?.id ?? ''}, 1, 1, '', 7, now())`;
  const [first = '', second = '', third = ''] = paths.map((path) => `avatars/${path}`);
  const putFile = (key: string) =>
    source.files.put(key, Buffer.from('picture'), { contentType: 'image/jpeg' });
  return { source, first, second, third, putFile };
};

test('a backup leaves out missing files and names them, but is refused when most are missing', async () => {
  const { source, first, second, third, putFile } = await openFixturesWithAvatars();
  const folder = join(backupsFolder, 'missing file');
  await expect(source.backup(folder)).rejects.toThrow('3 of 3 files that rows name are missing');
  await putFile(first);
  await putFile(`${first}@96.webp`);
  await expect(source.backup(folder)).rejects.toThrow('2 of 3 files that rows name are missing');
  await putFile(second);
  expect(await source.backup(folder)).toMatchObject({ files: { missing: [third] } });
  const copy = await openFixtures({ migrations: 0 });
  await copy.restore(folder);
  expect((await readFileContent(copy, first)).toString()).toBe('picture');
  expect(await copy.sql`SELECT FROM private.objects`).toHaveLength(3);
});

test('a failed backup leaves only the folder that existed before', async () => {
  const { source, first, putFile } = await openFixturesWithAvatars();
  await putFile(first);
  source.files.read = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  const folder = join(backupsFolder, 'full disk');
  await expect(source.backup(folder)).rejects.toThrow('ENOSPC');
  expect(await readdir(backupsFolder)).not.toContain('full disk');
  await mkdir(folder);
  await expect(source.backup(folder)).rejects.toThrow('ENOSPC');
  expect(await readdir(folder)).toEqual([]);
});

test('a backup refused because another one uses the same folder leaves the other backup intact', async () => {
  const { source, first, second, third, putFile } = await openFixturesWithAvatars();
  for (const key of [first, second, third]) await putFile(key);
  const folder = join(backupsFolder, 'twice at once');
  const results = await Promise.allSettled([source.backup(folder), source.backup(folder)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect(refused.reason.message).toContain('is not empty');
  const copy = await openFixtures({ migrations: 0 });
  await copy.restore(folder);
});

test('a file deleted during a backup is in the backup and is deleted afterwards', async () => {
  const { source, first, second, putFile } = await openFixturesWithAvatars();
  await putFile(first);
  await putFile(second);
  const guardedFiles = deferDeletionsDuringBackup(source.files, source.sql, silentLog);
  const { read } = source.files;
  const during: (() => Promise<void>)[] = [
    async () => {
      await source.sql`DELETE FROM private.objects`;
      await guardedFiles.delete(first);
    },
  ];
  // Delete the photo's row and file just before the backup copies the first file.
  source.files.read = async (key) => {
    await during.shift()?.();
    return read(key);
  };
  const folder = join(backupsFolder, 'during');
  await source.backup(folder);
  expect(await source.sql`SELECT FROM private.objects`).toHaveLength(0);
  const copy = await openFixtures({ migrations: 0 });
  await copy.restore(folder);
  expect((await readFileContent(copy, first)).toString()).toBe('picture');
});

test('a backup waits for file deletions in progress, but is refused while another backup runs', async () => {
  const { sql } = sourceFixtures;
  const deletion = await sql.reserve();
  await deletion`SELECT pg_advisory_lock_shared(7100518275)`;
  const backup = sourceFixtures.backup(join(backupsFolder, 'beside a deletion'));
  await expect
    .poll(
      () => sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
    )
    .toHaveLength(1);
  await deletion`SELECT pg_advisory_unlock_shared(7100518275)`;
  await backup;
  await deletion`SELECT pg_advisory_lock(7100518275)`;
  await expect(sourceFixtures.backup(join(backupsFolder, 'beside a backup'))).rejects.toThrow(
    'Another backup is running.',
  );
  await deletion`SELECT pg_advisory_unlock(7100518275)`;
  deletion.release();
});

test('a restored backup of an older schema is migrated', async () => {
  const old = await openFixtures({ migrations: 4 });
  await old.secrets();
  await old.sql`INSERT INTO users (email, created_at, updated_at) VALUES ('old@usc.edu', now(), now())`;
  const folder = join(backupsFolder, 'old');
  await old.backup(folder);
  expect(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')).migrations).toHaveLength(4);
  const copy = await openFixtures({ migrations: 0 });
  await copy.restore(folder);
  const applied = await copy.sql`SELECT name FROM schema_migrations ORDER BY id`;
  expect(applied.map(({ name }) => name)).toEqual(listMigrations());
  expect(await copy.sql`SELECT email, email_messages FROM users`).toMatchObject([{ email: 'old@usc.edu' }]);
});

test('restoring a damaged or incomplete backup, or one of a newer schema, fails with a one-line error', async () => {
  const copy = await openFixtures({ migrations: 0 });
  const folder = join(backupsFolder, 'damaged');
  await sourceFixtures.backup(folder);
  const expectEmpty = async () =>
    expect(await copy.sql`SELECT FROM pg_tables WHERE schemaname = 'public'`).toHaveLength(0);

  const users = join(folder, 'rows', 'public.users.copy.gz');
  const bytes = await readFile(users);
  const flipped = Buffer.from(bytes);
  flipped[20] = (flipped[20] ?? 0) ^ 1;
  await writeFile(users, flipped);
  await expect(copy.restore(folder)).rejects.toThrow(
    /^The backup is damaged: rows\/public\.users\.copy\.gz is not what was written\. Nothing was restored\.$/,
  );
  await writeFile(users, bytes);

  const manifestPath = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
  const migrations = [...manifest.migrations, '9999_from_the_future'];
  await writeFile(manifestPath, JSON.stringify({ ...manifest, migrations }));
  await expect(copy.restore(folder)).rejects.toThrow(/^The backup has the schema 9999_from_the_future, .*$/);
  await writeFile(manifestPath, JSON.stringify({ ...manifest, format: 2 }));
  await expect(copy.restore(folder)).rejects.toThrow(/^The backup was made by a newer version of Quad.*$/);
  // No checksum covers the row counts in the manifest. The restore itself detects a wrong row count
  // and is then rolled back.
  const tables = manifest.tables.map((table: { name: string; rows: number }) =>
    table.name === 'messages' ? { ...table, rows: table.rows + 1 } : table,
  );
  await writeFile(manifestPath, JSON.stringify({ ...manifest, tables }));
  await expect(copy.restore(folder)).rejects.toThrow(
    /^The backup is damaged: rows\/public\.messages\.copy\.gz .*$/,
  );
  await expectEmpty();
  for await (const { key } of copy.files.list('listing-photos')) expect(key).toBeUndefined();
  // The repaired backup can be restored into the same database.
  await writeFile(manifestPath, JSON.stringify(manifest));
  await copy.restore(folder);
  await rm(manifestPath);
  await expect(copy.restore(folder)).rejects.toThrow(
    /contains no complete backup: it has no manifest\.json\.$/,
  );
});

test('refuses to restore over existing data and to write a backup over another', async () => {
  await expect(sourceFixtures.restore(completeBackupFolder)).rejects.toThrow(
    'The database is not empty: a backup is restored into an empty one only.',
  );
  const store = await openFixtures({ migrations: 0 });
  for (const key of ['avatars/a/1.jpg', 'moderation/a/0.jpg']) {
    await store.files.put(key, Buffer.from('x'), { contentType: 'image/jpeg' });
    await expect(store.restore(completeBackupFolder)).rejects.toThrow(
      `The store of files is not empty: it holds ${key}.`,
    );
    await store.files.delete(key);
  }
  const folder = await openFixtures({ migrations: 0 });
  await folder.secrets();
  await expect(folder.restore(completeBackupFolder)).rejects.toThrow('secrets.json exists already');
  await expect(sourceFixtures.backup(completeBackupFolder)).rejects.toThrow(
    'is not empty: a backup needs a folder of its own.',
  );
});

test('a failed restore deletes only the files that it stored', async () => {
  const copy = await openFixtures({ migrations: 0 });
  const { put } = copy.files;
  const keys: string[] = [];
  // Another server stores the second file of the backup just before the restore does.
  copy.files.put = async (key, content, options) => {
    if (keys.push(key) === 2) await put(key, Buffer.from('of another server'), options);
    return put(key, content, options);
  };
  await expect(copy.restore(completeBackupFolder)).rejects.toThrow('The store of files is not empty');
  const left = (await Array.fromAsync(copy.files.list('listing-photos'))).map(({ key }) => key);
  expect(left).toEqual([keys[1]]);
  expect((await readFileContent(copy, keys[1] ?? '')).toString()).toBe('of another server');
});
