import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseJson } from '#server/platform/json/json-text.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { openDatabase, type Sql } from './database.ts';
import {
  columnJson,
  elementSeparatorSql,
  nullableColumnJson,
  toArrayJsonPieces,
  toConditionalObjectJsonPieces,
  toJsonTextSql,
  toObjectJsonPieces,
  wrapJoinedElementsInArray,
} from './sql-json.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 1 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const rowJsonSql = toJsonTextSql(
  toObjectJsonPieces({
    title: columnJson.text('title'),
    note: nullableColumnJson.text('note'),
    word: nullableColumnJson.word('word'),
    count: columnJson.number('count'),
    price: nullableColumnJson.number('price'),
    open: columnJson.boolean('count > 0'),
    at: columnJson.instant('at'),
    part: toConditionalObjectJsonPieces('count > 0', { title: columnJson.text('title') }),
    inner: toObjectJsonPieces({ count: columnJson.number('count') }),
    list: toArrayJsonPieces({ n: columnJson.number('n') }, 'generate_series(1, count) AS n', 'n DESC'),
  }),
);

const readRow = async (row: { title: string; note: string | null; count: number }) => {
  const [found] = await sql<{ text: string }[]>`
  SELECT ${rowJsonSql} AS text FROM (
    SELECT ${row.title}::text AS title, ${row.note}::text AS note, ${row.note}::text AS word, ${row.count}::int AS count,
      CASE WHEN ${row.count}::int > 0 THEN 85.50 END AS price, '2026-03-02 18:00:00.1234+00'::timestamptz AS at
  ) AS row`;
  return JSON.parse(found?.text ?? '');
};

test('builds JSON from objects, including nested objects and arrays', async () => {
  expect(await readRow({ title: 'Desk', note: 'oak', count: 2 })).toEqual({
    title: 'Desk',
    note: 'oak',
    word: 'oak',
    count: 2,
    price: 85.5,
    open: true,
    at: '2026-03-02T18:00:00.123Z',
    part: { title: 'Desk' },
    inner: { count: 2 },
    list: [{ n: 2 }, { n: 1 }],
  });
});

test('builds null from SQL NULL', async () => {
  const found = await readRow({ title: 'Desk', note: null, count: 0 });
  expect(found).toMatchObject({ note: null, word: null, price: null, open: false, part: null, list: [] });
});

test.each(['"quoted"', "it's", 'back\\slash', 'two\nlines', '\u0001', '🎉 漢字', '</script>', '{"a":1}', ''])(
  'builds valid JSON from the text %j',
  async (title) => {
    expect((await readRow({ title, note: null, count: 1 })).title).toBe(title);
  },
);

test.each([
  [0, false, []],
  [3, false, ['row 1', 'row 2', 'row 3']],
  [3, true, ['row 1', 'row 2']],
  [1, true, []],
])(
  'wrapJoinedElementsInArray turns %i elements (last one extra: %s) into %j',
  async (count, hasExtraElement, expected) => {
    const [row] = await sql<{ elements: string | null }[]>`
  SELECT string_agg(to_json('row ' || n)::text, ${elementSeparatorSql} ORDER BY n) AS elements
  FROM generate_series(1, ${count}::int) AS n`;
    expect(parseJson(wrapJoinedElementsInArray(row?.elements ?? null, hasExtraElement))).toEqual(expected);
  },
);

test('wrapJoinedElementsInArray does not split at line breaks and commas inside elements', async () => {
  const texts = ['a,\nb', ',\n', '\n'];
  const [row] = await sql<{ elements: string }[]>`
  SELECT string_agg(to_json(element)::text, ${elementSeparatorSql}) AS elements FROM unnest(${texts}::text[]) AS element`;
  expect(parseJson(wrapJoinedElementsInArray(row?.elements ?? null, true))).toEqual(texts.slice(0, 2));
});
