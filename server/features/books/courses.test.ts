import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildCoursePath } from '#contract/course-path.ts';
import { expectOk, type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { runCommand } from '#server/testing/run-command.ts';

let testApp: TestApp;
let seller: Person;
let administrator: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn();
  administrator = await signInToConsole(testApp, 'administrator');
});
beforeEach(
  () => testApp.sql`TRUNCATE books, courses, course_books, listings, private.security_events CASCADE`,
);
afterAll(() => testApp.close());

const calculus8 = '9781285740621';
const calculus9 = '9781337613927';
const read = (url: string, person = seller) =>
  expectOk(testApp.server.inject({ url, headers: person.headers }));
/** Posts a textbook, later than those before. */
const post = async (form: ListingForm = {}) => {
  testApp.clock.advance(1);
  const { body } = await submitListingForm(testApp, seller, {
    title: 'Calculus, hardly used',
    category: 'textbooks',
    ...form,
  });
  return body.listing;
};
const importList = async (csv: string) =>
  testApp.server.inject({
    method: 'POST',
    url: '/rest/v1/moderation/courses',
    headers: administrator.headers,
    payload: { csv, reason: 'A new term' },
  });

test('a book is filled in from the catalog, completed by earlier listings, or from these alone', async () => {
  const lookUp = async (isbn: string) => (await read(`/rest/v1/books/${isbn}`)).book;
  expect(await lookUp(calculus8)).toBeNull();
  await post({ isbn: calculus8, authors: 'J. Stewart', status: 'draft' });
  expect(await lookUp(calculus8)).toBeNull();
  await post({ isbn: '1-285-74062-9', authors: 'James Stewart', edition: '8th' });
  await post({ isbn: calculus8, title: 'Calculus 8e with notes', publishedYear: 2015 });
  const listed = { authors: 'James Stewart', edition: '8th', published_year: 2015 };
  expect(await lookUp('1285740629')).toEqual({
    isbn: calculus8,
    title: 'Calculus 8e with notes',
    source: 'listing',
    ...listed,
  });
  await testApp.sql`INSERT INTO books (isbn, title, edition) VALUES (${calculus8}, 'Calculus', '8th edition')`;
  expect(await lookUp(calculus8)).toEqual({
    isbn: calculus8,
    title: 'Calculus',
    source: 'catalog',
    ...listed,
    edition: '8th edition',
  });
  expect(
    (await testApp.server.inject({ url: '/rest/v1/books/1285740628', headers: seller.headers })).statusCode,
  ).toBe(404);
});

test('a year of the catalog that the form refuses is not filled in', async () => {
  await testApp.sql`
    INSERT INTO books (isbn, title, published_year) VALUES (${calculus8}, 'Calculus', 1449), (${calculus9}, 'Calculus', 1450)`;
  const readYear = async (isbn: string) => (await read(`/rest/v1/books/${isbn}`)).book.published_year;
  expect([await readYear(calculus8), await readYear(calculus9)]).toEqual([null, 1450]);
});

test.each([
  ['MATH 125;Calculus I;Fall;9781285740621;9781337613927;;', undefined],
  ['MATH 125,Calculus I,,9781285740621, 9781337613927', undefined],
  ['code;title;isbn\nMATH 125;Calculus I;9781285740621;9781337613927', undefined],
  ['code,isbn,title\nMATH 125,9781285740621; 9781337613927,Calculus I', undefined],
  ['code,title,isbn,old isbn\nMATH 125,Calculus I,9781285740621;9781337613927,9780321558237', undefined],
  ['MATH 125;Calculus I;Fall;9781285740621;9781337613928', 'an ISBN is not valid'],
])('several ISBNs of a course are read also from cells of their own: %j', async (csv, reason) => {
  expect((await importList(csv)).json()).toMatchObject({ added: 1, broken: reason ? 1 : 0 });
  const { items } = await read('/rest/v1/moderation/courses', administrator);
  expect(items).toMatchObject([{ code: 'MATH 125', books: reason ? 1 : 2 }]);
});

test('a list of courses is imported from CSV, in the console or by the command, with what is broken or twice named', async () => {
  const csv = [
    'Title,Code,Term,ISBNs',
    '"Calculus, I",math125,Fall 2026,978-1-285-74062-1',
    'Data Structures,CSCI-104,,',
    ',MATH 126,,',
    'No code,,,',
    '"Calculus I, second section",MATH 125,Spring 2027,9781337613927; 9781337613928',
  ].join('\r\n');
  const imported = await importList(csv);
  expect(imported.json()).toEqual({
    added: 2,
    changed: 0,
    duplicates: 1,
    broken: 3,
    examples: [
      { line: 4, reason: 'the title is missing' },
      { line: 5, reason: 'the code is not valid' },
      { line: 6, reason: 'an ISBN is not valid' },
    ],
  });
  const list = () => read('/rest/v1/moderation/courses', administrator);
  expect(await list()).toEqual({
    items: [
      { code: 'CSCI 104', title: 'Data Structures', term: null, books: 0 },
      { code: 'MATH 125', title: 'Calculus I, second section', term: 'Spring 2027', books: 2 },
    ],
    total: 2,
    next_cursor: null,
  });
  const file = join(testApp.dataDir, 'courses.csv');
  await writeFile(file, 'MATH 125;Calculus I\nMATH 126;Calculus II; Fall 2026 ;9781285740621\n');
  const settings = { QUAD_DATABASE_URL: testApp.databaseUrl, QUAD_DATA_DIR: testApp.dataDir };
  const run = (...args: string[]) => runCommand('courses', [...args, '--reason', 'A new term'], settings);
  expect(await run('import', file)).toEqual({ code: 0, err: '', out: 'Courses added: 1, changed: 1\n' });
  expect(await runCommand('courses', ['list', 'math'], settings)).toMatchObject({
    out: 'MATH 125     Calculus I (Spring 2027) – 2 ISBN\nMATH 126     Calculus II (Fall 2026) – 1 ISBN\n',
  });
  expect(await run('remove', 'math126')).toMatchObject({ code: 0 });
  expect(await run('remove', 'math126')).toMatchObject({ code: 1, err: 'There is no such course.\n' });
  expect((await list()).total).toBe(2);
  const events = await testApp.sql`
    SELECT event, detail FROM private.security_events WHERE reason = 'A new term' ORDER BY id`;
  expect(events).toEqual([
    { event: 'courses_imported', detail: '2 added, 0 changed' },
    { event: 'courses_imported', detail: '1 added, 1 changed' },
    { event: 'course_removed', detail: 'MATH 126' },
  ]);
}, 60_000);

test.each([
  ['names no course', 'just some text', 'This file names no course'],
  ['has an open quote', 'MATH 125,"Calculus', 'A quote in this file is not closed'],
  ['is empty', '', 'Choose a file with courses'],
  ['is not UTF-8', 'FRAN 101,Fran\ufffdais', 'This file has broken letters (\ufffd). Save it as CSV UTF-8.'],
])('a file that %s is refused with a sentence and changes nothing', async (_, csv, sentence) => {
  await importList('MATH 125,Calculus I');
  const { statusCode, body } = await importList(csv);
  expect(statusCode).toBe(400);
  expect(body).toContain(sentence);
  expect((await read('/rest/v1/moderation/courses', administrator)).total).toBe(1);
});

test('a list of more than 64 KB is imported, and paged', async () => {
  const csv = Array.from(
    { length: 2_000 },
    (_, index) => `TEST ${1000 + index},A course with a long title that fills the file`,
  );
  expect((await importList(csv.join('\n'))).json()).toMatchObject({ added: 2_000 });
  const first = await read('/rest/v1/moderation/courses?q=test', administrator);
  expect(first.items).toHaveLength(50);
  const second = await read(
    `/rest/v1/moderation/courses?q=test&cursor=${encodeURIComponent(first.next_cursor)}`,
    administrator,
  );
  expect(second.items[0].code).toBe('TEST 1050');
});

test.each([
  ['title;code\n"Calculus, I";MATH 125'],
  ['"MATH 125";"Calculus, I"'],
  ['MATH 125\tCalculus, I'],
  ['title,code\n"Calculus, I",MATH 125'],
  ['MATH 125,"Calculus, I",Fall 2026; spring 2027'],
])('the list %j has the course', async (csv) => {
  expect((await importList(csv)).json()).toMatchObject({ added: 1, broken: 0 });
  expect(await read('/rest/v1/courses/MATH-125')).toMatchObject({ title: 'Calculus, I' });
});

test.each([
  ['math', ['MATH 125', 'MATH 226']],
  ['MATH12', ['MATH 125']],
  [' math-1', ['MATH 125']],
  ['strúctures', ['CSCI 104']],
  ['csci-ua', ['CSCI-UA 101']],
  ['CSCIUA101', ['CSCI-UA 101']],
  ['125', []],
  ['%', []],
  ['', []],
])('typing "%s" suggests %j', async (typed, codes) => {
  await importList(
    'MATH 125,Calculus I\nMATH 226,Calculus III\nCSCI 104,Data Structures\nCSCI-UA 101,Introduction',
  );
  const { items } = await read(`/rest/v1/courses?q=${encodeURIComponent(typed)}`);
  expect(items.map(({ code }: { code: string }) => code)).toEqual(codes);
});

test('a course is found however it is spelled, with its books; one that only listings name, too; others are not', async () => {
  await importList(`MATH 125,Calculus I,Fall 2026,${calculus8}`);
  await testApp.sql`INSERT INTO books (isbn, title, edition) VALUES (${calculus8}, 'Calculus', '8th edition')`;
  for (const spelled of ['MATH-125', 'math125', 'MATH%20125'])
    expect(await read(`/rest/v1/courses/${spelled}`), spelled).toEqual({
      code: 'MATH 125',
      title: 'Calculus I',
      term: 'Fall 2026',
      books: [
        { isbn: calculus8, title: 'Calculus', edition: '8th edition', authors: null, published_year: null },
      ],
    });
  const { statusCode, body } = await testApp.server.inject({ url: '/rest/v1/courses/BISC-220' });
  expect(statusCode).toBe(404);
  expect(body).toContain('There is no such course.');
  await post({ course: 'bisc220' });
  expect(await read('/rest/v1/courses/BISC-220')).toEqual({
    code: 'BISC 220',
    title: null,
    term: null,
    books: [],
  });
});

test.each([
  'ITP 104-L',
  'CSCI-UA 101',
  'C&I / ART 9',
  'CS 101/102',
  'A-B C-D',
  'ÉTU 1',
  'A B C D E F G H',
  'A-B-C-D-E-F-G-H',
])('the course %s has a page at its path', async (code) => {
  await importList(`${code},A course`);
  const path = buildCoursePath(code).replace('/course', '/courses');
  expect(await read(`/rest/v1${path}`)).toMatchObject({ code });
});

test('characters that cannot be stored are left out of an imported file, and find no course', async () => {
  const file = join(testApp.dataDir, 'courses.csv');
  await writeFile(
    file,
    '\uFEFFcode,title,term\r\nMATH 125,Calculus\u0000 I,Fall\u0000 2026\r\nCS\u0000 1,Data,\r\n',
  );
  const settings = { QUAD_DATABASE_URL: testApp.databaseUrl, QUAD_DATA_DIR: testApp.dataDir };
  expect(await runCommand('courses', ['import', file, '--reason', 'A new term'], settings)).toMatchObject({
    out: expect.stringContaining('Courses added: 1'),
  });
  expect(await read('/rest/v1/courses/MATH-125')).toMatchObject({ title: 'Calculus I', term: 'Fall 2026' });
  for (const url of ['/rest/v1/courses/%00', '/rest/v1/courses?q=%00', '/rest/v1/books/%00'])
    expect((await testApp.server.inject({ url, headers: seller.headers })).statusCode, url).toBeLessThan(500);
}, 60_000);

test('the page of a textbook has the prices and conditions of other copies, its courses, and says another edition', async () => {
  await importList(`MATH 125,Calculus I,,${calculus9}\nMATH 126,Calculus II,,${calculus8}`);
  await testApp.sql`
    INSERT INTO books (isbn, title, edition)
    VALUES (${calculus8}, 'Calculus: Early Transcendentals', '8th edition'), (${calculus9}, 'Calculus', '9th edition')`;
  const mine = await post({ isbn: calculus8, course: 'MATH 125' });
  const readBook = () => read(`/rest/v1/listings/${mine.slug}/book`);
  const expected = {
    courses: [
      { code: 'MATH 125', title: 'Calculus I', term: null },
      { code: 'MATH 126', title: 'Calculus II', term: null },
    ],
    course_edition: { course: 'MATH 125', book: { isbn: calculus9, edition: '9th edition' } },
  };
  expect(await readBook()).toMatchObject({ copies: null, ...expected });
  await post({ isbn: calculus8, price: 40, condition: 'good' });
  await post({ isbn: '1285740629', price: 55.5, condition: 'like-new' });
  await post({ isbn: calculus8, price: 45, condition: 'good' });
  await post({ isbn: calculus8, price: 5, status: 'draft' });
  await post({ isbn: calculus9, price: 1 });
  expect(await readBook()).toMatchObject({
    copies: {
      count: 3,
      lowest_price: 40,
      highest_price: 55.5,
      conditions: [
        { condition: 'like-new', count: 1 },
        { condition: 'good', count: 2 },
      ],
    },
    ...expected,
  });
  const right = await post({ isbn: calculus9, course: 'MATH 125' });
  expect(await read(`/rest/v1/listings/${right.slug}/book`)).toMatchObject({ course_edition: null });
  const other = await post({ title: 'Organic chemistry', isbn: '9780306406157', course: 'MATH 125' });
  expect(await read(`/rest/v1/listings/${other.slug}/book`)).toMatchObject({ course_edition: null });
});
