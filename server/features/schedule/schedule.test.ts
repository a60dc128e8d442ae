import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Game } from '#contract/schedule.ts';
import { expectOk, startTestApp, type TestApp } from '#server/testing/app.ts';
import { runCommand } from '#server/testing/run-command.ts';
import { parseSchedule } from './public.ts';

let testApp: TestApp;
let folder: string;
beforeAll(async () => {
  testApp = await startTestApp();
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  folder = await mkdtemp(join(tmpdir(), 'quad-schedule-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await testApp.close();
});

const importFile = async (text: string | Buffer) => {
  const file = join(folder, 'games.csv');
  await writeFile(file, text);
  return runCommand('schedule', ['import', file], {
    QUAD_DATABASE_URL: testApp.databaseUrl,
    QUAD_DATA_DIR: testApp.dataDir,
  });
};
const listGames = async (): Promise<Game[]> =>
  (await expectOk(testApp.server.inject({ url: '/rest/v1/games' }))).items;

test('an imported schedule replaces the earlier one; games that have passed are not listed', async () => {
  await importFile('2026-03-05,Game of an earlier schedule\n');
  await importFile(
    '\uFEFFdate,event\r\n2026-03-14,"USC vs. UCLA, ""the derby"""\r\n2026-03-02,Opener\r\n2026-03-01,Passed',
  );
  expect(await listGames()).toEqual([
    { day: '2026-03-02', name: 'Opener' },
    { day: '2026-03-14', name: 'USC vs. UCLA, "the derby"' },
  ]);
});

test('a file of a spreadsheet may have semicolons or tabs, and must be UTF-8', async () => {
  for (const text of [
    'Date;Name\n2026-03-14;Derby, the second\n',
    'Date\tName\n2026-03-14\tDerby, the second',
  ]) {
    expect(await importFile(text)).toMatchObject({ code: 0 });
    expect(await listGames()).toEqual([{ day: '2026-03-14', name: 'Derby, the second' }]);
  }
  for (const separator of [';', '\t'])
    expect(parseSchedule(`2026-03-14${separator}USC vs. UCLA, the derby`)).toEqual({
      games: [{ day: '2026-03-14', name: 'USC vs. UCLA, the derby' }],
      refused: [],
    });
  expect(await importFile(Buffer.from('2026-03-14,Caf\xe9', 'latin1'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('not UTF-8'),
  });
  expect(await importFile('2026-03-14,"Derby')).toMatchObject({
    code: 1,
    err: expect.stringContaining('A quote in this file is not closed'),
  });
});

test('empty cells and rows, which spreadsheets add, belong to no name', () => {
  const { games, refused } = parseSchedule(
    'Date,Name,,\n2026-03-14,Derby,,\n2026-03-21,Bears, at home,\n,,,\n2026-03-28,,,',
  );
  expect(games).toEqual([
    { day: '2026-03-14', name: 'Derby' },
    { day: '2026-03-21', name: 'Bears, at home' },
  ]);
  expect(refused).toEqual(['line 5: the name must have 1 to 80 characters']);
});

test('broken lines are named and left out, and a file without a game changes nothing', async () => {
  const { games, refused } = parseSchedule(
    '2026-04-01,Game\n2026-02-30,Nowhen\nGame\n\n2026-04-02,\n2026-04-01,Game',
  );
  expect(games).toEqual([{ day: '2026-04-01', name: 'Game' }]);
  expect(refused.map((line) => line.split(':')[0])).toEqual(['line 2', 'line 3', 'line 5']);
  const before = await listGames();
  const failed = await importFile('no game at all');
  expect(failed.code).toBe(1);
  expect(await listGames()).toEqual(before);
});
