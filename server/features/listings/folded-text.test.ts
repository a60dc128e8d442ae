import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTextMatcher, foldText } from '#contract/search-text.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { toContainsCondition, toLowerCase } from './text-search.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

/** Every character that this version of Node knows, except surrogates. */
const knownCharacters = Array.from({ length: 0x10ffff }, (_, index) => index + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => !/[\p{Cn}\p{Co}]/u.test(character));

test('PostgreSQL folds every character as JavaScript does, also after it was lower-cased', async () => {
  const rows = await testApp.sql<{ character: string; folded: string; lowered: string; twice: string }[]>`
    SELECT character, private.fold(character) AS folded, lower(character) AS lowered,
      private.fold(lower(character)) AS twice
    FROM unnest(${knownCharacters}::text[]) AS character WHERE unicode_assigned(character)`;
  expect(rows.length).toBeGreaterThan(140_000);
  expect(rows.filter(({ character, folded }) => foldText(character) !== folded)).toEqual([]);
  expect(rows.filter(({ character, lowered }) => toLowerCase(character) !== lowered)).toEqual([]);
  expect(rows.filter(({ folded, twice }) => folded !== twice)).toEqual([]);
});

test('PostgreSQL finds a text with another joint exactly when JavaScript does', async () => {
  const joint = fc.constantFrom('', '', ' ', '-', "'");
  const sign = fc.constantFrom('', ' ', '\n', '(', '"', '/', ',', '.', '-', 'x', '(', '!', 'é', '+');
  /** Words with joints, and the same words with others between signs. */
  const pair = fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'ab', '7', 'c+', '.'), joint, joint, fc.boolean()), {
      minLength: 2,
      maxLength: 5,
    })
    .chain((parts) => {
      const join = (choose: (part: (typeof parts)[number]) => string) =>
        parts.map((part) => part[0] + choose(part)).join('');
      const searched = join(([, usual]) => usual);
      const other = join(([, usual, another, isOther]) => (isOther ? another : usual));
      return fc.tuple(sign, sign).map(([before, after]) => ({ searched, text: before + other + after }));
    });
  let matches = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { minLength: 40, maxLength: 40 }), async (pairs) => {
      const rows = await testApp.sql<
        { found: boolean }[]
      >`SELECT ${toContainsCondition(fragment`text`, fragment`searched`)} AS found
          FROM unnest(${pairs.map(({ text }) => foldText(text))}::text[],
            ${pairs.map(({ searched }) => searched)}::text[]) AS pair (text, searched)`;
      for (const [index, { searched, text }] of pairs.entries()) {
        const found = createTextMatcher(searched)(foldText(text));
        expect(rows[index]?.found, JSON.stringify({ searched, text })).toBe(found);
        if (found && !foldText(text).includes(searched)) matches += 1;
      }
    }),
    { numRuns: 50 },
  );
  expect(matches).toBeGreaterThan(100);
});
