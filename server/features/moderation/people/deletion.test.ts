import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { fillEveryPersonalColumn } from '#server/testing/full-account.ts';

interface Campus {
  testApp: TestApp;
  person: Person;
  administrator: Person;
}

/** Starts an application in which a person has a row in every table with personal data. */
const startCampus = async (): Promise<Campus> => {
  const testApp = await startTestApp();
  const person = await testApp.signIn({ email: 'dora.data@usc.edu', fullName: 'Dora Data' });
  await fillEveryPersonalColumn(testApp, person, await testApp.signIn({ fullName: 'Otto Other' }));
  return { testApp, person, administrator: await signInToConsole(testApp, 'administrator') };
};

let campuses: [own: Campus, console: Campus];
beforeAll(async () => {
  campuses = [await startCampus(), await startCampus()];
});
afterAll(() => Promise.all(campuses.map(({ testApp }) => testApp.close())));

/** Returns the number of rows of every table, except the audit trail, and the number of stored files. */
const measure = async ({ testApp }: Campus): Promise<Record<string, number>> => {
  await testApp.jobs.runAll();
  const tables = await testApp.sql<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname IN ('public', 'private') AND tablename <> 'security_events' ORDER BY 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await testApp.sql.query(`SELECT count(*) AS count FROM ${name}`);
    counts[name] = row?.count ?? 0;
  }
  const files = await readdir(join(testApp.dataDir, 'files'), { recursive: true, withFileTypes: true });
  return { ...counts, files: files.filter((it) => it.isFile()).length };
};

test('promise 87: deleting an account from the console removes the same data as deletion by its owner', async () => {
  const [own, byConsole] = campuses;
  const before = await measure(own);
  expect(await measure(byConsole)).toEqual(before);
  const self = await own.testApp.server.inject({
    method: 'DELETE',
    url: '/rest/v1/me',
    headers: own.person.headers,
    payload: { confirmation: 'DELETE' },
  });
  const administrator = await byConsole.testApp.server.inject({
    method: 'DELETE',
    url: `/rest/v1/moderation/people/${byConsole.person.userId}`,
    headers: byConsole.administrator.headers,
    payload: { email: byConsole.person.email, reason: 'Asked by letter' },
  });
  expect([self.statusCode, administrator.statusCode]).toEqual([200, 200]);
  const after = await measure(own);
  expect(after).not.toEqual(before);
  expect(await measure(byConsole)).toEqual(after);
  for (const { testApp, person } of campuses) {
    expect((await testApp.server.inject({ url: '/rest/v1/me', headers: person.headers })).statusCode).toBe(
      401,
    );
    expect((await testApp.server.inject({ url: `/rest/v1/users/${person.userId}` })).statusCode).toBe(404);
  }
  expect(byConsole.testApp.mails.at(-1)).toMatchObject({
    kind: 'account_deleted',
    to: byConsole.person.email,
  });
});
