import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTextMatcher, foldText } from '#contract/search-text.ts';
import { fragment, toInsertedRows } from '#server/platform/postgres/sql-fragments.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm, validListingForm } from '#server/testing/listings.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { toFilterCondition } from './filter.ts';
import { estimateMatchRatio, listNewestSearchableTexts, readSearchSample } from './match-estimates.ts';
import {
  listIndexedTextConditions,
  listWordsOfVariants,
  toSearchedText,
  toTextCondition,
} from './text-search.ts';

let testApp: TestApp;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn();
});
afterAll(() => testApp.close());

/** Publishes listings that differ only in their descriptions. */
const publishListings = async (texts: readonly string[]): Promise<void> => {
  const moment = testApp.clock.now();
  await testApp.sql`
    INSERT INTO listings ${toInsertedRows(
      texts.map((text, index) => ({
        slug: `text-${index}`,
        user_id: seller.userId,
        title: validListingForm.title,
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

const toSearched = (term: string) => toSearchedText(term) ?? { text: '', exactText: undefined };

/**
 * Searches for a term in three ways: with the indexes (if they support the term), by scanning every row, and by comparing
 * all texts in JavaScript. `exact` are the listings that contain the term itself.
 */
const searchByIndexAndScan = (term: string, sample: readonly string[] = []) =>
  testApp.sql.begin(async (sql) => {
    const searched = toSearched(term);
    const { knownWords } = await readSearchSample(sql, listWordsOfVariants(searched.text));
    await sql`SET LOCAL enable_seqscan = off`;
    const found = await sql<{ slug: string }[]>`
      SELECT l.slug FROM (${(
        listIndexedTextConditions(searched, { texts: sample, knownWords }) ?? [toTextCondition(searched)]
      )
        .map(
          (condition) =>
            fragment`SELECT l.slug FROM listings l WHERE l.status = 'published' AND ${condition}`,
        )
        .reduce((all, next) => fragment`${all} UNION ALL ${next}`)}) AS l
      ORDER BY l.slug`;
    await sql`SET LOCAL enable_seqscan = on`;
    await sql`SET LOCAL enable_bitmapscan = off`;
    const scanned = await sql<
      { slug: string }[]
    >`SELECT l.slug FROM listings l WHERE l.status = 'published' AND ${toTextCondition(searched)} ORDER BY l.slug`;
    const rows = await sql<{ slug: string; search_text: string }[]>`
      SELECT slug, search_text FROM listings ORDER BY slug`;
    const matches = createTextMatcher(searched.text);
    const exact = rows.filter((row) => row.search_text.includes(term));
    const looked = rows.filter((row) => matches(foldText(row.search_text)) || exact.includes(row));
    const toSlugs = (those: readonly { slug: string }[]) => those.map((row) => row.slug);
    return {
      found: toSlugs(found),
      scanned: toSlugs(scanned),
      looked: toSlugs(looked),
      exact: toSlugs(exact),
    };
  });

describe('a search finds the same listings as a scan of every row', () => {
  const email = fc.constantFrom(...'aeqxz7   %_\\.,-\n\t\'":*&|!жß漢🎉é§’–ﬁåÅ');
  const text = (max: number) => fc.array(email, { minLength: 1, maxLength: max }).map((it) => it.join(''));

  test('for any term of one to seven characters and any sample', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text(30), { minLength: 8, maxLength: 8 }),
        fc.array(text(7), { minLength: 12, maxLength: 12 }),
        fc.array(text(30), { maxLength: 8 }),
        async (texts, terms, sample) => {
          await testApp.sql`DELETE FROM listings`;
          await publishListings(texts);
          // Search also for the last letters of each text, because most random terms occur in no
          // text.
          const parts = texts.flatMap((it) => {
            const letters = [...it];
            return [1, 2, 3, 6].map((length) => letters.slice(-length).join(''));
          });
          for (const term of [...terms, ...parts].map((it) => it.toLowerCase())) {
            const { found, scanned, looked, exact } = await searchByIndexAndScan(term, sample);
            expect(found, JSON.stringify(term)).toEqual(looked);
            expect(scanned, JSON.stringify(term)).toEqual(looked);
            expect(found, JSON.stringify(term)).toEqual(expect.arrayContaining(exact));
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test.each([
    ['of the end of the title and its line', 's\n'],
    ['of an emoji', '🎉'],
    ['of punctuation only', '...'],
    ['of a character between words', 'a b'],
    ['of a letter at the end of a word', 'y '],
    ['of a letter at the beginning of a word', ' q'],
    ['of a letter', 'q'],
    ['of two words', 'nothing to'],
    ['of the ends of two words', 'g t'],
    ['of the end of one word and a whole one', 'ing to'],
    ['of a word between two others', 'a b party'],
    ['of a blank at either end', ' party... '],
    ['of two blanks', 'double  blank'],
    ['of characters with a meaning in tsquery syntax', "it's:*"],
    ['of a word longer than the indexed word endings', 'pneumonoultramicroscopicsilicovolcanoconiosis'],
    ['of the end of a word longer than the indexed word endings', 'silicovolcanoconiosis'],
  ])('for a term made %s', async (_, term) => {
    await testApp.sql`DELETE FROM listings`;
    await publishListings([
      'a b party... 🎉 yes',
      'Nothing to q see',
      'y or n',
      'Ypsilon',
      'A double  blank',
      "Here it's:* written",
      'Pneumonoultramicroscopicsilicovolcanoconiosis',
      'Pneumonoultramicroscopicsilicosis',
    ]);
    const { found, looked, exact } = await searchByIndexAndScan(term);
    expect(found).toEqual(looked);
    expect(found).toEqual(expect.arrayContaining(exact));
    expect(exact.length).toBeGreaterThan(0);
  });

  test('when a text consists of one very long word', async () => {
    await testApp.sql`DELETE FROM listings`;
    await publishListings([`${'漢🎉'.repeat(470)}字`]);
    for (const term of ['🎉字', '漢🎉漢🎉', '漢🎉'.repeat(100)])
      expect((await searchByIndexAndScan(term)).found).toEqual(['text-0']);
    expect((await searchByIndexAndScan('漢漢')).found).toEqual([]);
  });

  test('%, _ and \\ are plain characters in terms of any length', async () => {
    await testApp.sql`DELETE FROM listings`;
    await publishListings(['50% off', 'snake_case', 'back\\slash', 'plain']);
    const search = async (q: string) => {
      const response = await testApp.server.inject({
        url: `/rest/v1/listings?${new URLSearchParams({ q })}`,
      });
      return response.json().items.map((item: { slug: string }) => item.slug);
    };
    for (const q of ['%', '0%', '50% o']) expect(await search(q), q).toEqual(['text-0']);
    for (const q of ['_', 'e_', 'ake_ca']) expect(await search(q), q).toEqual(['text-1']);
    for (const q of ['\\', 'k\\', 'ack\\sla']) expect(await search(q), q).toEqual(['text-2']);
  });
});

describe('the query plan depends on how common the text is', () => {
  test('a part of a word is found with the index of word endings, a phrase with the index of word boundaries', async () => {
    await testApp.sql`DELETE FROM listings`;
    await publishListings(
      Array.from({ length: 3000 }, (_, index) => `Number ${index} ${index === 7 ? 'qx' : ''}`),
    );
    await testApp.sql`ANALYZE listings`;
    const sample = await readSearchSample(testApp.sql, []);
    const plan = async (term: string) =>
      JSON.stringify(
        await testApp.sql`
          EXPLAIN SELECT FROM listings l
          WHERE l.status = 'published' AND ${listIndexedTextConditions(toSearched(term), sample)?.[0] ?? fragment`true`}`,
      );
    expect(await plan('qx')).toContain('listings_word_endings');
    expect(await plan('numb')).toContain('listings_word_endings');
    expect(await plan('r ')).toContain('listings_word_meetings');
    expect(await plan('number 77')).toContain('listings_word_meetings');
  });

  test('a text with a size or kind is found by combining their indexes, without matching words row by row', async () => {
    await testApp.sql`DELETE FROM listings`;
    await publishListings(
      Array.from({ length: 3000 }, (_, index) => `Number ${index} ${index % 9 === 0 ? 'size L ticket' : ''}`),
    );
    await testApp.sql`ANALYZE listings`;
    const byIndex =
      listIndexedTextConditions(toSearched('numb'), await readSearchSample(testApp.sql, []))?.[0] ??
      fragment`true`;
    for (const filter of [{ size: 'large' }, { kind: 'tickets' }] as const) {
      const plan = JSON.stringify(
        await testApp.sql`EXPLAIN SELECT FROM listings l WHERE ${toFilterCondition({ today: '2026-03-02', ...filter }, byIndex)}`,
      );
      expect(plan).toContain('BitmapAnd');
      expect(plan).not.toMatch(/Filter: [^"]*has_(kind|size)/);
    }
  });

  test('the newest listings serve as the sample', async () => {
    await testApp.sql`DELETE FROM listings`;
    await publishListings(Array.from({ length: 1200 }, (_, index) => (index % 4 === 0 ? 'often' : 'rarely')));
    const sample = await listNewestSearchableTexts(testApp.sql);
    expect(estimateMatchRatio('often', sample)).toBeCloseTo(0.25, 1);
    expect(estimateMatchRatio('oftener', sample)).toBe(0);
  });

  // This test has a longer timeout, because indexing eleven thousand listings takes a while.
  test('pages have no gaps or duplicates even if there are more matches than are counted', {
    timeout: 60_000,
  }, async () => {
    await testApp.sql`DELETE FROM listings`;
    // Only listings older than the newest thousand contain the text, so the sample of the newest listings does not.
    await testApp.sql`
      INSERT INTO listings (slug, user_id, title, description, price, category, condition, location, status,
        contact_email, created_at, updated_at, published_at)
      SELECT 'old-' || n, ${seller.userId}, ${validListingForm.title},
        repeat('·', 40) || CASE WHEN n > 1000 THEN 'ancient' ELSE '' END,
        5, 'furniture', 'good', 'Parkside', 'published', ${seller.email}, moment, moment, moment
      FROM generate_series(1, 11050) AS n,
        LATERAL (SELECT ${testApp.clock.now()}::timestamptz - n * interval '1 s' AS moment) AS times`;
    const read = async (query: Record<string, string>) =>
      (
        await testApp.server.inject({
          url: `/rest/v1/listings?${new URLSearchParams({ q: 'ancient', ...query })}`,
        })
      ).json();
    const slugs = (page: { items: { slug: string }[] }) => page.items.map((item) => item.slug);

    const first = await read({});
    expect(first.total).toBe(10_001);
    const second = await read({ cursor: first.next_cursor });
    expect([...slugs(first), ...slugs(second)]).toEqual(
      Array.from({ length: 48 }, (_, index) => `old-${index + 1001}`),
    );

    await testApp.sql`DELETE FROM listings WHERE slug = 'old-1001' OR slug LIKE 'old-110%'`;
    // Deleting rows directly in the database does not invalidate the cached total, so the total is
    // counted again only after it has expired, which takes a minute.
    testApp.clock.advance(60);
    const fewer = await read({});
    expect(fewer.total).toBe(9_988);
    expect(slugs(fewer)).toEqual(Array.from({ length: 24 }, (_, index) => `old-${index + 1002}`));
  });
});

test('a search finds a title by its exact letters, even if their lower-case forms are irregular', async () => {
  const titles = [
    'ΔΓΣ hoodie of the chapter, blue',
    'İstanbul travel guide, two maps',
    'Ⅻ STRAẞE sign made of enamel',
  ];
  for (const title of titles) {
    const { status } = await submitListingForm(testApp, seller, { title });
    expect(status).toBe(200);
    const url = (q: string) => `/rest/v1/listings?q=${encodeURIComponent(q)}`;
    const [whole, firstWord] = [title, title.split(' ')[0] ?? ''];
    for (const q of [whole, firstWord]) {
      const { body } = await sendRequest(testApp, undefined, 'GET', url(q));
      expect(
        body.items.map((item: { title: string }) => item.title),
        q,
      ).toEqual([title]);
    }
  }
});
