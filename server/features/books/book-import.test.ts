import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { runCommand } from '#server/testing/run-command.ts';

let testApp: TestApp;
let folder: string;
beforeAll(async () => {
  testApp = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'quad-books-'));
});
beforeEach(() => testApp.sql`TRUNCATE books, private.book_imports`);
afterAll(async () => {
  await testApp.close();
  await rm(folder, { recursive: true });
});

const settings = () => ({ QUAD_DATABASE_URL: testApp.databaseUrl, QUAD_DATA_DIR: testApp.dataDir });
const writeCatalog = async (content: string | Buffer, name = 'books.tsv'): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};
const importCatalog = async (content: string | Buffer, name?: string) =>
  runCommand('books', ['import', await writeCatalog(content, name)], settings());
const listBooks = () => testApp.sql`
  SELECT isbn, title, authors, edition, published_year FROM books ORDER BY isbn`;

const calculus = {
  isbn: '9781285740621',
  title: 'Calculus',
  authors: 'James Stewart',
  edition: '8th edition',
  published_year: 2015,
};

test('imports a list separated by tabs, and names, counts and skips what is broken', async () => {
  const lines = [
    '\uFEFFISBN\ttitle\tauthors\tedition\tyear\r',
    '978-1-285-74062-1\tCalculus\tJames Stewart\t8th edition\tMay 2015\r',
    '',
    '0306406152\t  Signs \u200B and\u0000 systems  ',
    '0306406153\tOne digit is wrong',
    '9780140449136\t',
    '9780140449136',
    'no ISBN at all\tTitle',
    `9780140449136\t${'x'.repeat(5_000_000)}`,
    `9780140449136\t${'long '.repeat(100)}\t\t\tabout 1420`,
  ];
  const content = Buffer.concat([
    Buffer.from(`${lines.join('\n')}\n9780140449136\t`),
    Buffer.from([0xff, 0xfe, 0x0a]),
    Buffer.from('9781285740621\tCalculus\tJames Stewart\t8th edition\t2015'),
  ]);
  expect(await importCatalog(content)).toEqual({
    code: 0,
    err: '',
    out: [
      'Imported 4 books from 12 lines',
      'Without a book: 2 lines',
      'Broken and left out: 6 lines',
      '  line 5: the ISBN is not valid',
      '  line 6: the title is missing',
      '  line 7: columns are missing',
      '  line 8: the ISBN is not valid',
      '  line 9: the line is too long',
      '  line 11: the line is not UTF-8\n',
    ].join('\n'),
  });
  const empty = { authors: null, edition: null, published_year: null };
  expect(await listBooks()).toEqual([
    { isbn: '9780140449136', title: 'long '.repeat(60).trim(), ...empty },
    { isbn: '9780306406157', title: 'Signs and systems', ...empty },
    calculus,
  ]);
});

test('reads a list that a spreadsheet has put quotes into', async () => {
  const lines = [
    '9781285740621\t"Calculus, or ""Infinitesimals"""\t"Stewart, J."\t8th\t2015',
    '0306406152\t"Heroes" and "Villains"\t"',
  ];
  expect(await importCatalog(lines.join('\n'))).toMatchObject({ code: 0 });
  expect(await listBooks()).toMatchObject([
    { title: '"Heroes" and "Villains"', authors: '"' },
    { title: 'Calculus, or "Infinitesimals"', authors: 'Stewart, J.', edition: '8th' },
  ]);
});

test('imports the editions of Open Library, also compressed', async () => {
  const formatLine = (record: object | string, type = '/type/edition') =>
    [
      type,
      '/books/OL1M',
      '3',
      '2020-01-01',
      typeof record === 'string' ? record : JSON.stringify(record),
    ].join('\t');
  const lines = [
    formatLine({
      isbn_13: ['9781285740621'],
      isbn_10: ['1285740629', '0306406152'],
      title: 'Calculus',
      by_statement: 'James Stewart',
      edition_name: '8th edition',
      publish_date: 'May 3, 2015',
      number_of_pages: 1000,
    }),
    formatLine({ title: 'Without an ISBN' }),
    formatLine({ isbn_10: [7, 'wrong'], title: 'Broken' }),
    formatLine({}, '/type/redirect'),
    formatLine('{"isbn_10": ['),
    formatLine({
      isbn_10: ['0140449132'],
      title: 'Crime\uD800',
      authors: [{ name: 'F. D.' }, { key: '/a' }, null],
    }),
  ];
  const { code, out } = await importCatalog(gzipSync(lines.join('\n')), 'editions.txt.gz');
  expect(code).toBe(0);
  expect(out).toContain(
    'Imported 3 books from 6 lines\nWithout a book: 2 lines\nBroken and left out: 2 lines',
  );
  expect(await listBooks()).toEqual([
    { isbn: '9780140449136', title: 'Crime', authors: 'F. D.', edition: null, published_year: null },
    { ...calculus, isbn: '9780306406157' },
    calculus,
  ]);
});

test('a later import corrects books and keeps the others; a missing or damaged file is refused with one line', async () => {
  await importCatalog('9780140449136\tCrime and Punishment\n9781285740621\tCalculs\n');
  await importCatalog('9781285740621\tCalculs\n9781285740621\tCalculus\tJames Stewart\t8th edition\t2015\n');
  expect(await listBooks()).toMatchObject([{ title: 'Crime and Punishment' }, calculus]);
  expect(await runCommand('books', ['import', join(folder, 'none.tsv')], settings())).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^ENOENT: no such file.*\n$/),
  });
  expect(await importCatalog('not compressed', 'damaged.gz')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^incorrect header check\n$/),
  });
});

/** Returns a valid ISBN-13 for each number up to 10^8. */
const toIsbn = (number: number): string => {
  const digits = `9781${String(number).padStart(8, '0')}`;
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
};

test('promise 116: an import that is killed at random places and continued is complete', {
  timeout: 120_000,
}, async () => {
  const count = 60_000;
  const lines = Array.from({ length: count }, (_, index) =>
    index % 1_000 === 7 ? `broken ${index}` : `${toIsbn(index)}\tBook ${index}`,
  );
  const path = await writeCatalog(lines.join('\n'), 'large.tsv');
  const program = fileURLToPath(new URL('../../commands/quad.ts', import.meta.url));
  const readPosition = async (): Promise<number> =>
    (await testApp.sql`SELECT position FROM private.book_imports`)[0]?.position ?? 0;
  const killAfter = async (position: number): Promise<void> => {
    const child = spawn(process.execPath, [program, 'books', 'import', path], {
      env: { PATH: process.env.PATH, ...settings() },
      stdio: 'ignore',
    });
    const exit = once(child, 'exit');
    await expect.poll(readPosition, { interval: 1, timeout: 60_000 }).toBeGreaterThan(position);
    child.kill('SIGKILL');
    expect(await exit).toEqual([null, 'SIGKILL']);
  };
  await killAfter(0);
  await killAfter(await readPosition());
  const { code, out } = await runCommand('books', ['import', path], settings());
  expect(code).toBe(0);
  expect(out).toMatch(/^Continuing after line [\d,]+\nImported 59,940 books from 60,000 lines\n/);
  expect(out).toContain('Broken and left out: 60 lines\n  line 8: columns are missing\n  line 1008:');
  const [stored] = await testApp.sql`
    SELECT count(*) AS count, count(*) FILTER (WHERE title = 'Book ' || substr(isbn, 5, 8)::int) AS exact FROM books`;
  expect(stored).toEqual({ count: count - 60, exact: count - 60 });
  expect(await readPosition()).toBe(0);
});
