import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { goodListing } from '#server/testing/listings.ts';
import { hasText } from './text-search.ts';

let quad: TestApp;
let seller: Person;
beforeAll(async () => {
  quad = await startTestApp();
  seller = await quad.signIn();
});
afterAll(() => quad.close());

/** Publishes listings that differ in their descriptions only. */
const publish = async (texts: readonly string[]): Promise<void> => {
  const moment = quad.clock.now();
  await quad.sql`
    INSERT INTO listings ${quad.sql(
      texts.map((text, index) => ({
        slug: `text-${index}`,
        user_id: seller.userId,
        title: goodListing.title,
        description: text + '·'.repeat(40),
        price: 5,
        category: 'furniture',
        condition: 'good',
        location: 'Parkside',
        status: 'published',
        contact_email: seller.email,
        created_at: moment,
        updated_at: moment,
        published_at: moment,
      })),
    )}`;
};

/** The listings found, once through the indexes alone and once through a bare look at every row. */
const findBothWays = (term: string) =>
  quad.sql.begin(async (sql) => {
    await sql`SET LOCAL enable_seqscan = off`;
    const found = await sql<{ slug: string }[]>`
      SELECT l.slug FROM listings l WHERE l.status = 'published' AND ${hasText(sql, term)} ORDER BY l.slug`;
    await sql`SET LOCAL enable_seqscan = on`;
    await sql`SET LOCAL enable_bitmapscan = off`;
    const looked = await sql<{ slug: string }[]>`
      SELECT l.slug FROM listings l
      WHERE l.search_text LIKE ${`%${term.replace(/[\\%_]/g, '\\$&')}%`} ORDER BY l.slug`;
    return { found: found.map((row) => row.slug), looked: looked.map((row) => row.slug) };
  });

describe('a search answers what a look at every row answers', () => {
  const letter = fc.constantFrom(...'aeqxz7 %_\\.,-\n\u0001жß漢🎉é§');
  const text = (max: number) => fc.array(letter, { minLength: 1, maxLength: max }).map((it) => it.join(''));

  test('for any term of one to five characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text(30), { minLength: 8, maxLength: 8 }),
        fc.array(text(5), { minLength: 12, maxLength: 12 }),
        async (texts, terms) => {
          await quad.sql`DELETE FROM listings`;
          await publish(texts);
          // Terms out of the texts too, so that many are found.
          const parts = texts.flatMap((it) => {
            const letters = [...it];
            return [1, 2, 3].map((length) => letters.slice(-length).join(''));
          });
          for (const term of [...terms, ...parts].map((it) => it.toLowerCase())) {
            const { found, looked } = await findBothWays(term);
            expect(found, JSON.stringify(term)).toEqual(looked);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test.each([
    ['of a pair across the end of the title', 's\n'],
    ['of an emoji', '🎉'],
    ['of punctuation only', '...'],
    ['of a character between words', 'a b'],
    ['of a letter that is said to be everywhere', 'y'],
    ['of a letter that is not', 'q'],
    ['of the character that parts pairs', '\u0001q'],
  ])('for a term made %s', async (_, term) => {
    await quad.sql`DELETE FROM listings`;
    await publish(['a b party... 🎉 yes', 'Nothing to \u0001q see', 'y', 'Ypsilon']);
    const { found, looked } = await findBothWays(term);
    expect(found).toEqual(looked);
    expect(found.length).toBeGreaterThan(0);
  });

  test('%, _ and \\ are plain characters in terms of any length', async () => {
    await quad.sql`DELETE FROM listings`;
    await publish(['50% off', 'snake_case', 'back\\slash', 'plain']);
    const search = async (q: string) => {
      const answer = await quad.app.inject({ url: `/rest/v1/listings?${new URLSearchParams({ q })}` });
      return answer.json().items.map((item: { slug: string }) => item.slug);
    };
    for (const q of ['%', '0%', '50% o']) expect(await search(q), q).toEqual(['text-0']);
    for (const q of ['_', 'e_', 'ake_ca']) expect(await search(q), q).toEqual(['text-1']);
    for (const q of ['\\', 'k\\', 'ack\\sla']) expect(await search(q), q).toEqual(['text-2']);
  });
});

test('a search for two letters is answered by the index of letter pairs', async () => {
  await quad.sql`DELETE FROM listings`;
  await publish(Array.from({ length: 3000 }, (_, index) => `Number ${index} ${index === 7 ? 'qx' : ''}`));
  await quad.sql`ANALYZE listings`;
  const plan = await quad.sql`
    EXPLAIN SELECT FROM listings l WHERE l.status = 'published' AND ${hasText(quad.sql, 'qx')}`;
  expect(JSON.stringify(plan)).toContain('listings_letter_pairs');
});
