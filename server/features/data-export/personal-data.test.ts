import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { personalDataExportSchema } from '#contract/data-export.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { fillEveryPersonalColumn } from '#server/testing/full-account.ts';
import { type ColumnClassification, columnClassificationByTable } from '#server/testing/personal-data.ts';

let testApp: TestApp;
let person: Person;
let otherPerson: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  person = await testApp.signIn({ email: 'dora.data@usc.edu', fullName: 'Dora Data' });
  otherPerson = await testApp.signIn({ fullName: 'Otto Other' });
  await fillEveryPersonalColumn(testApp, person, otherPerson);
});
afterAll(() => testApp.close());

type Row = Record<string, unknown>;
const personalDataTables = Object.entries(columnClassificationByTable);

const listRows = (table: string): Promise<Row[]> => {
  const condition = (columnClassificationByTable[table]?.rows ?? '')
    .replaceAll('$1', 'account')
    .replaceAll('$2', 'address');
  return testApp.sql.query(
    `SELECT t.* FROM ${table} t, (SELECT $1::uuid AS account, $2::text AS address) AS given WHERE ${condition}`,
    [person.userId, person.email],
  );
};

test('promise 52: every column of the schema is classified', async () => {
  const columns = await testApp.sql<{ name: string }[]>`
    SELECT table_schema || '.' || table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema', 'testing')`;
  const classified = personalDataTables.flatMap(([table, { columns: named }]) =>
    Object.keys(named).map((column) => `${table}.${column}`),
  );
  expect(classified.sort(), 'classify each column in server/testing/personal-data.ts').toEqual(
    columns.map(({ name }) => name).sort(),
  );
});

test('promise 52: the test account has a value in every column of the tables that hold its rows', async () => {
  const empty: string[] = [];
  for (const [table, { columns, rows }] of personalDataTables) {
    if (rows === 'false') continue;
    const found = await listRows(table);
    for (const column of Object.keys(columns)) {
      if (!found.some((row) => row[column] !== null && row[column] !== undefined))
        empty.push(`${table}.${column}`);
    }
  }
  expect(empty, 'fill each column in server/testing/full-account.ts').toEqual([]);
});

/** Returns all values at a path such as `listings[].photos`, as a flat list. */
const collectValues = (data: unknown, path: string): unknown[] =>
  path.split('.').reduce<unknown[]>(
    (found, part) => {
      const name = part.replace('[]', '');
      return found.flatMap((it) => {
        const value = (it as Row | undefined)?.[name];
        return Array.isArray(value) ? value : [value];
      });
    },
    [data],
  );

/** Converts the value of a column to its form in the export. */
const toExportedValues = (value: unknown): unknown[] => {
  if (value instanceof Date) return [value.toISOString()];
  if (Array.isArray(value)) return value.flatMap(toExportedValues);
  if (typeof value === 'string' && value.startsWith('/storage/')) return [`http://quad.test${value}`];
  if (typeof value === 'object' && value !== null && 'resume' in value) {
    const { key: _, ...resume } = value.resume as Row;
    return [{ ...value, resume }];
  }
  return [value];
};

test('promise 52: the export has every value of every personal column that is not withheld', async () => {
  const answer = await createAccountClient(testApp).download(person);
  const data = personalDataExportSchema.strict().parse(answer.json());
  const missing: string[] = [];
  for (const [table, { columns }] of personalDataTables) {
    for (const row of await listRows(table)) {
      for (const [column, how] of Object.entries(columns)) {
        if (!('exported' in how) || isOtherPartyColumn(table, column, row) || isUnusedUrl(column, row))
          continue;
        const present = collectValues(data, how.exported);
        for (const value of toExportedValues(row[column])) {
          if (!present.some((it) => isDeepStrictEqual(it, value)))
            missing.push(`${table}.${column}: ${JSON.stringify(value)}`);
        }
      }
    }
  }
  expect(missing).toEqual([]);
});

/** Returns whether a value is the public URL of a photo of a message, at which nobody can read it. */
function isUnusedUrl(column: string, row: Row): boolean {
  return column === 'url' && row.bucket === 'message-photos';
}

/**
 * Returns whether a column of a conversation or deal describes the other party; such a column is not part
 * of the person's own data.
 */
function isOtherPartyColumn(table: string, column: string, row: Row): boolean {
  if (table !== 'public.conversations' && table !== 'public.deals') return false;
  return (
    (column.startsWith('buyer_') && row.buyer_id !== person.userId) ||
    (column.startsWith('seller_') && column !== 'seller_told_at' && row.seller_id !== person.userId)
  );
}

describe('promise 52: after the account is deleted', () => {
  const before = new Map<string, Row[]>();
  beforeAll(async () => {
    for (const [table] of personalDataTables) before.set(table, await listRows(table));
    expect((await createAccountClient(testApp).deleteAccount(person)).status).toBe(200);
  });

  const isPersonal = (how: ColumnClassification): boolean => !('impersonal' in how);

  test('the person’s rows are gone, and remaining rows hold no personal data without a stated reason', async () => {
    const left: string[] = [];
    for (const [table, { columns, key, deletion }] of personalDataTables) {
      const everything = await testApp.sql.query(`SELECT * FROM ${table}`);
      const nameOf = (row: Row) => JSON.stringify(key.map((column) => row[column]));
      const now = new Map(everything.map((row) => [nameOf(row), row]));
      for (const row of before.get(table) ?? []) {
        const remaining = now.get(nameOf(row));
        if (!remaining) continue;
        if (deletion === 'rows go') left.push(`${table}: ${nameOf(row)}`);
        for (const [column, how] of Object.entries(columns)) {
          if (!isPersonal(how) || 'remains' in how || isOtherPartyColumn(table, column, row)) continue;
          const value = remaining[column];
          if (value !== null && value !== 0) left.push(`${table}.${column}: ${value}`);
        }
      }
    }
    expect(left).toEqual([]);
  });

  test('no other row contains an identifier of the account', async () => {
    expect(await createAccountClient(testApp).findTraces(person.userId)).toEqual([]);
  });
});
