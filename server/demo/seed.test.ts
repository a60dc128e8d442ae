import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { categories } from '#contract/categories.ts';
import {
  type CategoryColumn,
  type CategoryColumns,
  categoryFieldByColumn,
} from '#contract/category-fields.ts';
import {
  createContactFormSchema,
  createDataDeletionRequestSchema,
  createJobApplicationSchema,
} from '#contract/forms.ts';
import { createDraftListingSchema, createPublishedListingSchema } from '#contract/listing-form.ts';
import type { App } from '#server/app.ts';
import { listCases } from '#server/features/moderation/cases.ts';
import { createDiskFileStore, type FileStore } from '#server/platform/files/files.ts';
import type { ImageProcessor } from '#server/platform/images/images.ts';
import { openDatabase, type Sql, type Transaction } from '#server/platform/postgres/database.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { passThroughImageProcessor } from '#server/testing/unprocessed-images.ts';
import { revokeDemoRoles } from './remove.ts';
import { findDemoLogins, type SeedOptions, seedDemoCampus } from './seed.ts';

let database: TestDatabase;
let sql: Sql;
let testFolder: string;
let files: FileStore;
const clock = createTestClock();

const createSeedOptions = (): SeedOptions => ({
  sql,
  files,
  clock,
  campus: defaultCampus,
  passwordHash: async (password) => `hash of ${password}`,
  grantsRoles: true,
  images: [passThroughImageProcessor],
  uploads: join(testFolder, 'uploads'),
});

const setUp = async (): Promise<void> => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 4 });
  testFolder = await mkdtemp(join(tmpdir(), 'quad-demo-'));
  files = createDiskFileStore({ root: testFolder });
};

const tearDown = async (): Promise<void> => {
  await sql.end();
  await database.drop();
  await rm(testFolder, { recursive: true, force: true });
};

const readAllRows = async () => ({
  users: await sql`SELECT * FROM users ORDER BY id`,
  credentials: await sql`SELECT * FROM private.credentials ORDER BY user_id`,
  objects: await sql`SELECT * FROM private.objects ORDER BY path`,
  listings: await sql`SELECT * FROM listings ORDER BY id`,
  conversations: await sql`SELECT * FROM conversations ORDER BY id`,
  messages: await sql`SELECT * FROM messages ORDER BY conversation_id, seq`,
  deals: await sql`SELECT * FROM deals ORDER BY id`,
  reviews: await sql`SELECT * FROM reviews ORDER BY id`,
  savedListings: await sql`SELECT * FROM saved_listings ORDER BY user_id, listing_id`,
});

interface ListingRow extends CategoryColumns {
  title: string | null;
  category: string;
  condition: string | null;
  price: number | null;
  description: string | null;
  location: string | null;
  contact_email: string | null;
  contact_phone: string | null;
  photos: string[];
  game_date: string | null;
  hold_hours: number;
  is_price_firm: boolean;
  rental_period: string;
  gift_mode: string;
  draw_hours: number;
  status: string;
  slug: string;
  user_id: string;
  created_at: Date;
}

const toFormValues = (row: ListingRow) => ({
  title: row.title,
  category: row.category,
  condition: row.condition,
  price: row.price,
  description: row.description,
  location: row.location,
  contactEmail: row.contact_email,
  contactPhone: row.contact_phone,
  photos: row.photos,
  gameDate: row.game_date,
  holdHours: row.hold_hours,
  isPriceFirm: row.is_price_firm,
  rentalPeriod: row.rental_period,
  giftMode: row.gift_mode,
  drawHours: row.draw_hours,
  ...Object.fromEntries(
    Object.entries(categoryFieldByColumn).map(([column, name]) => [name, row[column as CategoryColumn]]),
  ),
});

const compareByEmail = (a: { email: string }, b: { email: string }) => a.email.localeCompare(b.email);

describe('the demo campus', () => {
  beforeAll(async () => {
    await setUp();
    await seedDemoCampus(createSeedOptions());
  });
  afterAll(tearDown);

  test('every listing of the demo campus passes the validation of the form', async () => {
    const today = toCampusDay(defaultCampus, clock.now());
    const rows = await sql<ListingRow[]>`SELECT * FROM listings`;
    for (const row of rows) {
      const schema =
        row.status === 'draft'
          ? createDraftListingSchema(defaultCampus)
          : createPublishedListingSchema(today, defaultCampus);
      const result = schema.safeParse(toFormValues(row));
      expect(result.error?.issues, row.slug).toBeUndefined();
      expect(result.data, row.slug).toEqual(toFormValues(row));
    }
    const published = rows.filter((row) => row.status === 'published');
    expect(published.length).toBeGreaterThanOrEqual(60);
    expect(new Set(published.map((row) => row.category))).toEqual(new Set(categories));
    expect(rows.length).toBeGreaterThan(published.length);
  });

  test('the first account has saved a listing that is cheaper now and one that is sold; nobody saved their own', async () => {
    const saves = await sql<{ status: string; is_cheaper: boolean; is_own: boolean; email: string }[]>`
      SELECT l.status, l.price < s.price AS is_cheaper, l.user_id = s.user_id AS is_own, u.email
      FROM saved_listings s JOIN listings l ON l.id = s.listing_id JOIN users u ON u.id = s.user_id`;
    const own = saves.filter(({ email }) => email.startsWith('demo.maya@'));
    expect(own.some((save) => save.is_cheaper)).toBe(true);
    expect(own.some(({ status }) => status === 'sold')).toBe(true);
    expect(saves.some((save) => save.is_own)).toBe(false);
  });

  test('the first account has saved a search with new matches, and one without', async () => {
    const searches = await sql<{ new_count: number; email: string }[]>`
      SELECT u.email, (SELECT count(*)::int FROM saved_search_matches m WHERE m.search_id = s.id AND m.matched_at >= s.visited_at)
        AS new_count
      FROM saved_searches s JOIN users u ON u.id = s.user_id`;
    const own = searches.filter(({ email }) => email.startsWith('demo.maya@'));
    expect(own.some((search) => search.new_count > 0)).toBe(true);
    expect(own.some((search) => search.new_count === 0)).toBe(true);
  });

  test('one book was sold often enough for a range of prices, is for sale twice, and is looked for', async () => {
    const ranges = await sql<{ key: string }[]>`SELECT key FROM sale_price_ranges WHERE is_shown`;
    const isbn = '9780262033848';
    expect(ranges.map(({ key }) => key)).toContain(`isbn ${isbn}`);
    expect(await sql`SELECT FROM listings WHERE isbn = ${isbn} AND status = 'published'`).toHaveLength(2);
    expect(await sql`SELECT FROM wanted_posts WHERE title = ${isbn}`).toHaveLength(1);
  });

  test('game days are in the future, except one that has passed, and everything else is in the past', async () => {
    const now = clock.now();
    const today = toCampusDay(defaultCampus, now);
    const games = await sql<
      { game_date: string; ended_at: Date | null }[]
    >`SELECT game_date, ended_at FROM listings WHERE game_date IS NOT NULL`;
    expect(games.length).toBeGreaterThan(3);
    expect(games.filter(({ ended_at }) => ended_at)).toHaveLength(1);
    for (const { game_date, ended_at } of games) {
      expect(ended_at ? game_date < today && ended_at < now : game_date > today).toBe(true);
      expect(new Date(game_date).getUTCDay()).toBe(6);
    }
    const [latest] = await sql<{ listing: Date; message: Date }[]>`
    SELECT (SELECT max(created_at) FROM listings) AS listing, (SELECT max(created_at) FROM messages) AS message`;
    expect(latest?.listing.getTime()).toBeLessThan(now.getTime());
    expect(latest?.message.getTime()).toBeLessThan(now.getTime());
  });

  test('every photo of the demo campus belongs to its seller and its file is there', async () => {
    const photos = await sql<{ url: string; bucket: string; path: string; owned: boolean }[]>`
    SELECT photo AS url, bucket, path, owner_id = user_id AS owned
    FROM listings CROSS JOIN unnest(photos) AS photo LEFT JOIN private.objects ON url = photo`;
    for (const { url, bucket, path, owned } of photos) {
      expect(owned, url).toBe(true);
      expect(await files.read(`${bucket}/${path}`), url).toBeDefined();
    }
    const [bare] = await sql`SELECT 1 FROM listings WHERE photos = '{}' AND status <> 'sold'`;
    expect(bare).toBeUndefined();
  });

  test('messages of the demo campus are numbered without gaps, and only the recipient has unread ones', async () => {
    const rows = await sql<
      { last_seq: number; seqs: number[]; behind: number; told: boolean; writer_behind: boolean }[]
    >`
    SELECT last_seq, array_agg(seq::int ORDER BY seq) AS seqs, seller_told_at IS NOT NULL AS told,
      least(buyer_read_seq, seller_read_seq) AS behind,
      (array_agg(sender_id ORDER BY seq DESC))[1] = CASE WHEN buyer_read_seq < seller_read_seq THEN buyer_id
        WHEN seller_read_seq < buyer_read_seq THEN seller_id END AS writer_behind
    FROM conversations JOIN messages ON conversation_id = conversations.id GROUP BY conversations.id`;
    expect(rows.length).toBeGreaterThan(5);
    for (const { last_seq, seqs, behind, told, writer_behind } of rows) {
      expect(seqs).toEqual(Array.from({ length: last_seq }, (_, index) => index + 1));
      expect(behind).toBeGreaterThanOrEqual(0);
      expect(told).toBe(true);
      expect(writer_behind).not.toBe(true);
    }
  });

  test('there are cases in every state, among them an appeal and an automatic signal, with copies of the photos', async () => {
    const members: Partial<App> = { sql, clock };
    const app = members as App;
    const { items } = await listCases(app, { name: 'test' }, {});
    const resolved = (await listCases(app, { name: 'test' }, { state: 'resolved' })).items;
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['open', 'assigned']));
    expect(new Set(items.map(({ subject }) => subject))).toEqual(new Set(['listing', 'user', 'message']));
    expect(resolved.length).toBeGreaterThan(1);
    expect(items.filter(({ has_appeal: hasAppeal }) => hasAppeal)).toHaveLength(1);
    expect(items.filter(({ signals }) => signals.length > 0)).toHaveLength(1);
    const quotes = await sql<{ id: string; photo_count: number }[]>`
      SELECT id, photo_count FROM private.moderation_quotes WHERE photo_count > 0`;
    expect(quotes.length).toBeGreaterThan(3);
    for (const { id, photo_count: count } of quotes)
      for (let index = 0; index < count; index += 1)
        expect(await files.read(`moderation/${id}/${index}.jpg`)).toBeDefined();
  });

  test('the audit trail is empty, because nobody used the server in the past', async () => {
    expect(await sql`SELECT event FROM private.security_events`).toEqual([]);
  });

  test('every submitted form in the demo campus passes validation', async () => {
    const rows = await sql<{ kind: string; content: object; answered: boolean }[]>`
      SELECT kind, content, EXISTS (SELECT FROM private.form_answers WHERE form_id = f.id) AS answered
      FROM private.forms f`;
    const schemas: Record<string, z.ZodType> = {
      contact: createContactFormSchema(defaultCampus),
      application: createJobApplicationSchema(defaultCampus),
      'deletion-request': createDataDeletionRequestSchema(defaultCampus),
    };
    for (const { kind, content } of rows) expect(schemas[kind]?.parse(content)).toEqual(content);
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(Object.keys(schemas)));
    expect(rows.filter(({ answered }) => answered)).toHaveLength(1);
  });

  test('mail about messages is on for every demo account', async () => {
    expect(await sql`SELECT email FROM users WHERE NOT email_messages`).toEqual([]);
  });
});

describe('seeding', () => {
  beforeEach(setUp);
  afterEach(tearDown);

  test('only addresses of the campus are verified, and every account has the printed password', async () => {
    const campus = { ...defaultCampus, domain: 'example.edu', mascot: 'Heron' };
    const seeded = await seedDemoCampus({ ...createSeedOptions(), campus });
    const people = await sql<
      {
        email: string;
        full_name: string;
        role: string | null;
        usc_verified: boolean;
        password_hash: string;
      }[]
    >`
    SELECT email, full_name, console_role AS role, usc_verified, password_hash
    FROM users JOIN private.credentials ON user_id = id WHERE confirmed_at IS NOT NULL`;
    const announced = people.map(({ email, full_name, role }) => ({ email, full_name, role }));
    expect(seeded?.accounts.toSorted(compareByEmail)).toEqual(announced.toSorted(compareByEmail));
    for (const { email, usc_verified, password_hash } of people) {
      expect(usc_verified).toBe(email.endsWith('@example.edu'));
      expect(password_hash).toBe(`hash of ${seeded?.password}`);
    }
    expect(new Set(people.map((person) => person.usc_verified))).toEqual(new Set([true, false]));
    const [named] = await sql`SELECT 1 FROM listings WHERE title LIKE '%Heron%'`;
    expect(named).toBeDefined();
    expect(await findDemoLogins(sql, campus)).toEqual(seeded);
  });

  test('one administrator and one moderator have no second factor; revoking demo roles removes both', async () => {
    const listRoles = () => sql<{ role: string; is_enrolled: boolean }[]>`
      SELECT console_role AS role, EXISTS (SELECT FROM private.second_factors f WHERE f.user_id = c.user_id) AS is_enrolled
      FROM private.credentials c WHERE console_role IS NOT NULL ORDER BY role`;
    await seedDemoCampus(createSeedOptions());
    expect(await listRoles()).toEqual([
      { role: 'administrator', is_enrolled: false },
      { role: 'moderator', is_enrolled: false },
    ]);
    await revokeDemoRoles(sql);
    expect(await listRoles()).toEqual([]);
  });

  test('no account has a role if others can reach the server', async () => {
    const seeded = await seedDemoCampus({ ...createSeedOptions(), grantsRoles: false });
    expect(await sql`SELECT FROM private.credentials WHERE console_role IS NOT NULL`).toHaveLength(0);
    expect(seeded?.accounts.filter(({ role }) => role)).toEqual([]);
  });

  test('seeding again changes nothing', async () => {
    await seedDemoCampus(createSeedOptions());
    const before = await readAllRows();
    expect(await seedDemoCampus(createSeedOptions())).toBeUndefined();
    expect(await readAllRows()).toEqual(before);
  });

  test('two concurrent seedings create one demo campus', async () => {
    const results = await Promise.all([
      seedDemoCampus(createSeedOptions()),
      seedDemoCampus(createSeedOptions()),
    ]);
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  test('a seeding that was interrupted before its rows were written is repeated completely', async () => {
    let processed = 0;
    const failingImages: Pick<ImageProcessor, 'process'> = {
      process: async (job) => {
        if (++processed > 9) throw new Error('cut off');
        return passThroughImageProcessor.process(job);
      },
    };
    const broken = seedDemoCampus({ ...createSeedOptions(), images: [failingImages] });
    await expect(broken).rejects.toThrow('cut off');
    expect(await sql`SELECT 1 FROM users`).toHaveLength(0);
    expect(await seedDemoCampus(createSeedOptions())).toBeDefined();
  });

  test('a seeding whose transaction is rolled back leaves no copies of quoted photos', async () => {
    const begin = (work: (tx: Transaction) => Promise<unknown>) =>
      sql.begin(async (tx) => {
        await work(tx);
        throw new Error('cut off');
      });
    const broken = new Proxy(sql, {
      get: (target, key) => (key === 'begin' ? begin : Reflect.get(target, key)),
    });
    await expect(seedDemoCampus({ ...createSeedOptions(), sql: broken })).rejects.toThrow('cut off');
    expect(await Array.fromAsync(files.list('moderation'))).toEqual([]);
  });

  test('a database with any account is left unchanged', async () => {
    const now = clock.now();
    await sql`INSERT INTO users (email, created_at, updated_at) VALUES ('someone@usc.edu', ${now}, ${now})`;
    expect(await seedDemoCampus(createSeedOptions())).toBeUndefined();
    expect(await findDemoLogins(sql, defaultCampus)).toBeUndefined();
    expect(await sql`SELECT 1 FROM listings`).toHaveLength(0);
  });
});
