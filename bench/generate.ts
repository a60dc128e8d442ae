import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { conditions, postableCategories } from '#contract/categories.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { type Chance, createChance, drawModel, drawWord, pick, rareCharacters } from './vocabulary.ts';

const sellers = 5_000;
const firstDay = Date.UTC(2024, 0, 1);
/** Time between two listings. */
const stepMs = 60_000;
const places = [
  'Village',
  'Webb Tower',
  'Cardinal Gardens',
  'Parkside',
  'North Hall',
  'Gateway',
  'Row House',
];
const categoryShares = postableCategories.flatMap((category) =>
  Array<typeof category>(category === 'free' ? 1 : category === 'furniture' ? 6 : 3).fill(category),
);

/** Words for the filters by size and by kind that the vocabulary does not contain. */
const filtered = ['Size M.', 'Size XL.', 'Medium size.', 'With a cooler.', 'And a parking pass.'];

const words = (chance: Chance, count: number): string =>
  Array.from({ length: count }, () => drawWord(chance)).join(' ');

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const describe = (chance: Chance): string => {
  const sentences = Array.from(
    { length: 3 + Math.floor(chance() * 7) },
    () => `${capitalized(words(chance, 5 + Math.floor(chance() * 10)))}.`,
  );
  if (chance() < 0.1) sentences.push(`The model is ${drawModel(chance)}.`);
  if (chance() < rareCharacters.length / 100_000) sentences.push(pick(chance, rareCharacters));
  if (chance() < 1 / 500) sentences.push('🎉');
  if (chance() < 0.05) sentences.unshift(pick(chance, filtered));
  return sentences.join(' ').slice(0, 900).padEnd(40, '.');
};

const drawPrice = (chance: Chance): number => {
  const dollars = Math.max(1, Math.round(Math.exp(1 + chance() * 3 + chance() * 3)));
  return chance() < 0.2 ? dollars - 0.01 : dollars;
};

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

const row = (number: number, seller: string): string => {
  const chance = createChance(number);
  const category = pick(chance, categoryShares);
  const time = firstDay + number * stepMs + Math.floor(chance() * stepMs);
  const moment = new Date(time).toISOString();
  const columns = [
    `listing-${number}`,
    seller,
    capitalized(words(chance, 3 + Math.floor(chance() * 5)))
      .slice(0, 80)
      .padEnd(10, '!'),
    describe(chance),
    category === 'free' ? 0 : drawPrice(chance),
    chance() < 0.8 ? `{/storage/v1/object/public/listing-photos/${seller}/${number}.jpg}` : '{}',
    category,
    pick(chance, conditions),
    `${pick(chance, places)}, room ${Math.floor(chance() * 900)}`,
    chance() < 0.05 ? 'draft' : 'published',
    category === 'game-day' && chance() < 0.75 ? day(time + chance() * 90 * 86_400_000) : '\\N',
    'seller@usc.edu',
    moment,
    moment,
    moment,
  ];
  return `${columns.join('\t')}\n`;
};

function* rows(from: number, to: number, sellerIds: readonly string[]): Generator<string> {
  const batch: string[] = [];
  for (let number = from; number <= to; number += 1) {
    batch.push(row(number, sellerIds[(number * 7919) % sellerIds.length] ?? ''));
    if (batch.length === 500 || number === to) yield batch.splice(0).join('');
  }
}

const addSellers = async (sql: Sql): Promise<string[]> => {
  const known = await sql<{ id: string }[]>`SELECT id FROM users ORDER BY email`;
  if (known.length > 0) return known.map((user) => user.id);
  const people = Array.from({ length: sellers }, (_, index) => ({
    id: randomUUID(),
    email: `student-${index}@usc.edu`,
    full_name: `${capitalized(drawWord(createChance(index)))} Student`,
    usc_verified: index % 3 > 0,
    created_at: new Date(firstDay),
    updated_at: new Date(firstDay),
  }));
  await sql`
    INSERT INTO users ${sql(people, 'id', 'email', 'full_name', 'usc_verified', 'created_at', 'updated_at')}`;
  return people.map((person) => person.id);
};

/**
 * Adds listings, with their sellers and covers, until there are `count`; the same ones each time except for ids.
 * They are inserted in order of creation, as in production. Indexes are built after the rows, so that a million takes
 * minutes; the database must be disposable, and its role a superuser.
 */
export const generateListings = async (sql: Sql, count: number): Promise<void> => {
  const sellerIds = await addSellers(sql);
  const [present] = await sql<{ count: number }[]>`SELECT count(*) FROM listings`;
  const from = (present?.count ?? 0) + 1;
  await sql.begin(async (tx) => {
    await tx`SET LOCAL maintenance_work_mem = '512MB'`;
    // The sellers were just read, so foreign keys need not be checked a million times.
    await tx`SET LOCAL session_replication_role = replica`;
    const indexes = await tx<{ name: string; definition: string }[]>`
      SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
      WHERE indrelid = 'listings'::regclass AND NOT indisunique`;
    for (const { name } of indexes) await tx`DROP INDEX ${tx(name)}`;
    const copy = await tx`
      COPY listings (slug, user_id, title, description, price, photos, category, condition, location, status,
        game_date, contact_email, created_at, updated_at, published_at) FROM STDIN`.writable();
    await pipeline(Readable.from(rows(from, count, sellerIds)), copy);
    await tx`
      INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
      SELECT 'listing-photos', user_id || '/' || substr(slug, 9) || '.jpg', user_id, 1600, 1200,
        'JRcKBgBWhnd3h4d/', 100000, created_at
      FROM listings WHERE photos <> '{}' AND substr(slug, 9)::int >= ${from}`;
    await tx`SELECT private.collect_search_words()`;
    for (const { definition } of indexes) await tx.unsafe(definition);
  });
  await sql`VACUUM ANALYZE`;
};
