import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import {
  afterCommit,
  openDatabase,
  type Queryable,
  runInTransaction,
  type Sql,
  type Transaction,
} from './database.ts';
import {
  columnList,
  fragment,
  identifier,
  joinFragments,
  json,
  toAssignments,
  toInsertedRows,
} from './sql-fragments.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 4 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

test('a connection string without a password uses that of PGPASSWORD', async () => {
  const url = new URL(database.url);
  const { password } = url;
  url.password = '';
  vi.stubEnv('PGPASSWORD', decodeURIComponent(password));
  const other = openDatabase(url.href, { max: 1 });
  try {
    expect(await other`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  } finally {
    vi.unstubAllEnvs();
    await other.end();
  }
});

test('returns decimals and counts as numbers and dates as text', async () => {
  const [row] =
    await sql`SELECT 19.99::numeric AS price, 9007199254740991::bigint AS count, '2026-02-28'::date AS day`;
  expect(row).toEqual({ price: 19.99, count: 9007199254740991, day: '2026-02-28' });
  const [lists] = await sql`
    SELECT ARRAY[1.5::numeric, NULL] AS prices, ARRAY[7::bigint] AS counts, ARRAY['2026-02-28'::date] AS days,
      ARRAY['pg_class'::name] AS names`;
  expect(lists).toEqual({ prices: [1.5, null], counts: [7], days: ['2026-02-28'], names: ['pg_class'] });
});

test('sends dates, lists, JSON, bytes and nulls as parameters, and refuses undefined ones', async () => {
  const at = new Date('2026-03-02T18:00:00.123Z');
  const bytes = Buffer.from([0, 255]);
  const [row] = await sql`
    SELECT ${at} - interval '1 hour' AS earlier, ${[at]}::timestamptz[] AS times, ${['a,b', 'c"d', null]}::text[] AS texts,
      ${json([1, { a: 'x' }])}::jsonb AS value, ${bytes}::bytea AS bytes, ${null}::text AS nothing, ${true} AS yes`;
  expect(row).toEqual({
    earlier: new Date('2026-03-02T17:00:00.123Z'),
    times: [at],
    texts: ['a,b', 'c"d', null],
    value: [1, { a: 'x' }],
    bytes,
    nothing: null,
    yes: true,
  });
  await expect(sql`SELECT ${undefined as unknown as string}::text`).rejects.toThrow('is undefined');
});

test('composes statements of fragments, with quoted names and parameters in order', async () => {
  await sql`CREATE TABLE "odd ""table" (id int PRIMARY KEY, "Note" text, at timestamptz, done boolean)`;
  const table = identifier('odd "table');
  const at = new Date('2026-03-02T18:00:00Z');
  await sql`INSERT INTO ${table} ${toInsertedRows([
    { id: 1, Note: 'one', at, done: true },
    { id: 2, Note: "two's", at: null, done: false },
  ])}`;
  const { count } = await sql`
    UPDATE ${table} SET ${toAssignments({ Note: 'changed', done: true }, ['Note'])} WHERE id = ANY (${[2, 3]})`;
  expect(count).toBe(1);
  const conditions = [fragment`id > ${0}`, fragment`"Note" <> ${'none'}`];
  const rows = await sql`
    SELECT ${columnList(['id', 'Note', 'at', 'done'])} FROM ${table}
    WHERE ${joinFragments(conditions, ' AND ')} ${joinFragments([], ' ')} ORDER BY id`;
  expect(rows).toEqual([
    { id: 1, Note: 'one', at, done: true },
    { id: 2, Note: 'changed', at: null, done: false },
  ]);
});

test('runs prepared statements again after the schema has changed', async () => {
  await sql`CREATE TABLE shelves (id int)`;
  await sql`INSERT INTO shelves VALUES (1)`;
  const read = (queryable: Queryable = sql) => queryable`SELECT * FROM shelves`;
  await Promise.all(Array.from({ length: 8 }, () => read()));
  await sql`ALTER TABLE shelves ADD COLUMN room text`;
  expect(await Promise.all(Array.from({ length: 8 }, () => read()))).toEqual(
    Array.from({ length: 8 }, () => [{ id: 1, room: null }]),
  );
  await sql`ALTER TABLE shelves ADD COLUMN floor text`;
  expect(await runInTransaction(sql, (tx) => read(tx))).toEqual([{ id: 1, room: null, floor: null }]);
});

describe('a transaction', () => {
  const listNotes = async () =>
    (await sql<{ note: string }[]>`SELECT note FROM notes`).map(({ note }) => note);
  const addNote = (tx: Transaction, note: string) => tx`INSERT INTO notes VALUES (${note})`;
  beforeAll(() => sql`CREATE TABLE notes (note text)`);

  test('runs its effects after the commit, and none after a rollback', async () => {
    const seen: string[][] = [];
    const note = (text: string) => async (tx: Transaction) => {
      afterCommit(tx, async () => void seen.push(await listNotes()));
      await addNote(tx, text);
      if (text === 'refused') throw new Error('refused');
      return text;
    };
    expect(await runInTransaction(sql, note('stored'))).toBe('stored');
    await expect(runInTransaction(sql, note('refused'))).rejects.toThrow('refused');
    expect(seen).toEqual([['stored']]);
  });

  test('throws the error of a failed statement that was ignored, because nothing was committed', async () => {
    const ignoreFailure = async (tx: Transaction) => {
      await addNote(tx, 'lost');
      await tx`SELECT 1 / 0`.catch(() => {});
    };
    await expect(sql.begin(ignoreFailure)).rejects.toThrow('division by zero');
    await sql.begin(async (tx) => {
      await expect(tx.savepoint(ignoreFailure)).rejects.toThrow('division by zero');
      await addNote(tx, 'kept');
    });
    expect(await listNotes()).toContain('kept');
    expect(await listNotes()).not.toContain('lost');
  });

  test('refuses statements after its end', async () => {
    const { tx: ended } = await sql.begin(async (tx) => ({ tx }));
    await expect(addNote(ended, 'late')).rejects.toThrow('is over');
  });

  test('has savepoints that run one after another and are rolled back alone', async () => {
    const steps: string[] = [];
    await runInTransaction(sql, async (tx) => {
      const note = (text: string) =>
        runInTransaction(tx, async (inner) => {
          afterCommit(inner, async () => void steps.push(`${text} released`));
          steps.push(text);
          await addNote(inner, text);
          if (text === 'second') throw new Error('refused');
        });
      const results = await Promise.allSettled(['first', 'second', 'third'].map(note));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });
    expect(steps).toEqual(['first', 'first released', 'second', 'third', 'third released']);
    expect(await listNotes()).toEqual(expect.arrayContaining(['first', 'third']));
    expect(await listNotes()).not.toContain('second');
  });
});
