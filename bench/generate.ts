import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Category, conditions, postableCategories } from '#contract/categories.ts';
import { categoryFields, hasCategoryField, sizeLabels } from '#contract/category-fields.ts';
import { parseIsbn } from '#contract/isbn.ts';
import { openCopyWriter } from '#server/platform/postgres/copy.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { fragment, identifier, toInsertedRows, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import {
  createRandomSource,
  generateModelNumber,
  pickRandom,
  pickRandomWord,
  type RandomSource,
  rareCharacters,
} from './vocabulary.ts';

const sellerCount = 5_000;
const firstListingTimeMs = Date.UTC(2024, 0, 1);
/** Interval between the creation times of two consecutive listings. */
const listingIntervalMs = 60_000;
/** Coming games begin then, so that they are ahead whenever the benchmarks run. */
const firstComingGameMs = Date.UTC(2035, 0, 1);
/** Of this many listings in Game Day, all but one ended with their game, as the job `end-passed-games` leaves them. */
const endedGameDayRate = 10;
/** One of this many listings was sold. */
const soldRate = 20;
const locations = [
  'Village',
  'Webb Tower',
  'Cardinal Gardens',
  'Parkside',
  'North Hall',
  'Gateway',
  'Row House',
];
const weightedCategories = postableCategories.flatMap((category) =>
  Array<typeof category>(category === 'free' ? 1 : category === 'furniture' ? 6 : 3).fill(category),
);

/**
 * Some descriptions contain one of these sentences, so that the filters by size and by kind of game-day
 * listing find matches. They contain search terms of these filters that the vocabulary of random words lacks.
 */
const filterMatchingSentences = [
  'Size M.',
  'Size XL.',
  'Medium size.',
  'With a cooler.',
  'And a parking pass.',
];

const pickRandomWords = (random: RandomSource, count: number): string =>
  Array.from({ length: count }, () => pickRandomWord(random)).join(' ');

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const generateDescription = (random: RandomSource): string => {
  const sentences = Array.from(
    { length: 3 + Math.floor(random() * 7) },
    () => `${capitalize(pickRandomWords(random, 5 + Math.floor(random() * 10)))}.`,
  );
  if (random() < 0.1) sentences.push(`The model is ${generateModelNumber(random)}.`);
  if (random() < rareCharacters.length / 100_000) sentences.push(pickRandom(random, rareCharacters));
  if (random() < 1 / 500) sentences.push('🎉');
  if (random() < 0.05) sentences.unshift(pickRandom(random, filterMatchingSentences));
  return sentences.join(' ').slice(0, 900).padEnd(40, '.');
};

const generatePrice = (random: RandomSource): number => {
  const dollars = Math.max(1, Math.round(Math.exp(1 + random() * 3 + random() * 3)));
  return random() < 0.2 ? dollars - 0.01 : dollars;
};

const toIsoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

const bookCount = 20_000;
const courseCount = 500;
const toIsbn = (book: number): string =>
  Array.from({ length: 10 }, (_, check) => `9780${String(book).padStart(8, '0')}${check}`).find(
    (digits) => parseIsbn(digits) !== undefined,
  ) ?? '';

/** Returns a number below `count`. The probability of n is proportional to 1/(n + 1). */
const pickNumberByRank = (random: RandomSource, count: number): number => Math.floor(count ** random()) - 1;

/**
 * Returns the ISBN, course, size, section, row and seats of half of the listings that can have them. A tenth of all books
 * are the same one, and a seventh of them are for the same course.
 */
const generateCategoryFields = (number: number, category: Category): string[] => {
  const random = createRandomSource(-number);
  const half = (has: boolean, value: () => string): string => (has && random() < 0.5 ? value() : '\\N');
  const isBook = category === 'textbooks';
  const isTicket = category === 'game-day';
  return [
    half(isBook, () => toIsbn(pickNumberByRank(random, bookCount))),
    half(isBook, () => `MATH ${pickNumberByRank(random, courseCount)}`),
    half(hasCategoryField(category, categoryFields.size), () => pickRandom(random, Object.keys(sizeLabels))),
    half(isTicket, () => `Section ${Math.floor(random() * 200)}`),
    half(isTicket, () => `Row ${Math.floor(random() * 60)}`),
    half(isTicket, () => `Seat ${Math.floor(random() * 30)}`),
  ];
};

const generateCopyRow = (number: number, seller: string): string => {
  const random = createRandomSource(number);
  const category = pickRandom(random, weightedCategories);
  const time = firstListingTimeMs + number * listingIntervalMs + Math.floor(random() * listingIntervalMs);
  const moment = new Date(time).toISOString();
  const isEnded = category === 'game-day' && number % endedGameDayRate !== 0;
  const isSold = !isEnded && number % soldRate === 0;
  const columns = [
    `listing-${number}`,
    seller,
    capitalize(pickRandomWords(random, 3 + Math.floor(random() * 5)))
      .slice(0, 80)
      .padEnd(10, '!'),
    generateDescription(random),
    category === 'free' ? 0 : generatePrice(random),
    random() < 0.8 ? `{/storage/v1/object/public/listing-photos/${seller}/${number}.jpg}` : '{}',
    category,
    pickRandom(random, conditions),
    `${pickRandom(random, locations)}, room ${Math.floor(random() * 900)}`,
    isSold ? 'sold' : random() < 0.05 || isEnded ? 'draft' : 'published',
    isEnded || (category === 'game-day' && random() < 0.75)
      ? toIsoDate(isEnded ? time : firstComingGameMs + random() * 90 * 86_400_000)
      : '\\N',
    'seller@usc.edu',
    moment,
    moment,
    moment,
    isEnded ? moment : '\\N',
    isSold ? moment : '\\N',
    ...generateCategoryFields(number, category),
  ];
  return `${columns.join('\t')}\n`;
};

function* generateCopyBatches(from: number, to: number, sellerIds: readonly string[]): Generator<string> {
  const batch: string[] = [];
  for (let number = from; number <= to; number += 1) {
    batch.push(generateCopyRow(number, sellerIds[(number * 7919) % sellerIds.length] ?? ''));
    if (batch.length === 500 || number === to) yield batch.splice(0).join('');
  }
}

const ensureSellers = async (sql: Sql): Promise<string[]> => {
  const known = await sql<{ id: string }[]>`SELECT id FROM users ORDER BY email`;
  if (known.length > 0) return known.map((user) => user.id);
  const people = Array.from({ length: sellerCount }, (_, index) => ({
    id: randomUUID(),
    email: `student-${index}@usc.edu`,
    full_name: `${capitalize(pickRandomWord(createRandomSource(index)))} Student`,
    usc_verified: index % 3 > 0,
    created_at: new Date(firstListingTimeMs),
    updated_at: new Date(firstListingTimeMs),
  }));
  await sql`
    INSERT INTO users ${toInsertedRows(people, ['id', 'email', 'full_name', 'usc_verified', 'created_at', 'updated_at'])}`;
  return people.map((person) => person.id);
};

/**
 * Adds listings with sellers and cover photos until the table `listings` contains `count` rows.
 * Every run generates the same data except for ids, and inserts it in order of creation, as in
 * production. Drops the indexes before the insert and rebuilds them afterwards, so that a million
 * listings take only minutes. The database must be disposable, and its role must be a superuser.
 */
export const generateListings = async (sql: Sql, count: number): Promise<void> => {
  const sellerIds = await ensureSellers(sql);
  const [present] = await sql<{ count: number }[]>`SELECT count(*) FROM listings`;
  const from = (present?.count ?? 0) + 1;
  await sql.begin(async (tx) => {
    await tx`SET LOCAL maintenance_work_mem = '512MB'`;
    // This setting disables foreign-key checks, which is safe because `ensureSellers` returned the
    // ids of existing users.
    await tx`SET LOCAL session_replication_role = replica`;
    const indexes = await tx<{ name: string; definition: string }[]>`
      SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
      WHERE indrelid = 'listings'::regclass AND NOT indisunique`;
    for (const { name } of indexes) await tx`DROP INDEX ${identifier(name)}`;
    const copy = openCopyWriter(
      tx,
      fragment`COPY listings (slug, user_id, title, description, price, photos, category, condition, location, status,
        game_date, contact_email, created_at, updated_at, published_at, ended_at, sold_at, isbn, course, size, section,
        seat_row, seats) FROM STDIN`,
    );
    await pipeline(Readable.from(generateCopyBatches(from, count, sellerIds)), copy);
    await tx`
      INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
      SELECT 'listing-photos', user_id || '/' || substr(slug, 9) || '.jpg', user_id, 1600, 1200,
        'JRcKBgBWhnd3h4d/', 100000, created_at
      FROM listings WHERE photos <> '{}' AND substr(slug, 9)::int >= ${from}`;
    await tx`SELECT private.collect_search_words()`;
    for (const { definition } of indexes) await tx`${trustedSql(definition)}`;
  });
  await sql`VACUUM ANALYZE`;
};
