import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { afterCommit, openDatabase, runInTransaction, type Sql, type Transaction } from './database.ts';

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

test('returns decimals and counts as numbers and dates as text', async () => {
  const [row] =
    await sql`SELECT 19.99::numeric AS price, 9007199254740991::bigint AS count, '2026-02-28'::date AS day`;
  expect(row).toEqual({ price: 19.99, count: 9007199254740991, day: '2026-02-28' });
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
