import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDeletableAccounts } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient, insertDesk } from '#server/testing/conversations.ts';
import { insertPhoto, saveListing } from '#server/testing/listings.ts';

let server: TestApp;
let conversations: ReturnType<typeof createConversationClient>;
let accounts: ReturnType<typeof createDeletableAccounts>;
let friend: Person;

beforeAll(async () => {
  server = await startTestApp();
  conversations = createConversationClient(server);
  accounts = createDeletableAccounts(server);
});
beforeEach(async () => {
  friend = await server.signIn();
});
afterAll(() => server.close());

type StatusPromise = Promise<{ status: number }>;
const times = <Result>(count: number, action: (n: number) => Result): Result[] =>
  Array.from({ length: count }, (_, n) => action(n));

/** Runs all actions concurrently, in a different order each round; returns the distinct statuses. */
const runConcurrently = async (actions: (() => StatusPromise)[], round: number): Promise<number[]> => {
  const rotated = [...actions.slice(round % actions.length), ...actions.slice(0, round % actions.length)];
  const responses = await Promise.all(rotated.map((action) => action()));
  return [...new Set(responses.map(({ status }) => status))];
};

const expectDeleted = async (deletedPerson: Person): Promise<void> => {
  // Codes are ignored, because anyone may request a code for any address at any time.
  await server.sql`DELETE FROM private.codes WHERE email = ${deletedPerson.email}`;
  expect(await accounts.findTraces(deletedPerson.userId, deletedPerson.email)).toEqual([]);
  const remaining = await server.sql`SELECT 1 FROM users WHERE id = ${deletedPerson.userId}`;
  expect(remaining).toHaveLength(0);
};

const expectNoDeadlocks = async (): Promise<void> => {
  await server.sql`SELECT pg_stat_force_next_flush()`;
  const [row] = await server.sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`;
  expect(row?.deadlocks).toBe(0);
};

const post = async (url: string, payload: object, person?: Person): StatusPromise => {
  const response = await server.app.inject({
    method: 'POST',
    url,
    payload,
    ...(person ? { headers: person.headers } : {}),
  });
  return { status: response.statusCode };
};
const patchMe = async (person: Person, payload: object): StatusPromise => {
  const url = '/rest/v1/me';
  const response = await server.app.inject({ method: 'PATCH', url, headers: person.headers, payload });
  return { status: response.statusCode };
};

test('deletes an account once for concurrent requests; the others get 401 and nothing remains', async () => {
  const deletedPerson = await server.signIn();
  await saveListing(server, deletedPerson);
  const responses = await Promise.all(times(5, () => accounts.deleteAccount(deletedPerson)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  await expectDeleted(deletedPerson);
});

test('deletes an account while both parties write: messages are stored or refused, without deadlock', async () => {
  for (const round of times(5, (n) => n)) {
    const deletedPerson = await server.signIn();
    const opened = await Promise.all([
      ...times(3, () => conversations.begin(deletedPerson, friend)),
      ...times(3, () => conversations.begin(friend, deletedPerson)),
    ]);
    for (const { id } of opened) await conversations.send(friend, id, 'Before');
    const statuses = await runConcurrently(
      [
        ...opened.flatMap(({ id }) => [
          () => conversations.send(friend, id, 'One'),
          () => conversations.send(deletedPerson, id, 'Two'),
          () => conversations.send(friend, id, 'Three'),
        ]),
        () => accounts.deleteAccount(deletedPerson),
        () => conversations.ask(friend, 'POST', conversations.at(opened[0]?.id ?? '', '/read'), { seq: 1 }),
      ],
      round * 3,
    );
    for (const status of statuses) expect([200, 401, 404, 409]).toContain(status);
    await expectDeleted(deletedPerson);
    for (const { id } of opened) {
      const stored = (await conversations.ask(friend, 'GET', conversations.at(id, '/messages?limit=100')))
        .body.items;
      expect(stored.map(({ seq }: { seq: number }) => seq)).toEqual(times(stored.length, (n) => n + 1));
    }
  }
  await expectNoDeadlocks();
});

test('deletes an account while conversations start and listings are saved, unpublished and deleted', async () => {
  for (const round of times(5, (n) => n)) {
    const deletedPerson = await server.signIn();
    const desks = await Promise.all(times(3, () => insertDesk(server, deletedPerson)));
    const others = await Promise.all(times(3, () => insertDesk(server, friend)));
    const photo = await insertPhoto(server, deletedPerson, 'desk.jpg');
    const openAndWrite = async (person: Person, listingId: string): StatusPromise => {
      const { status, body } = await conversations.open(person, listingId);
      return status === 200 ? conversations.send(person, body.id, 'Hello') : { status };
    };
    const action = (method: 'PATCH' | 'DELETE', id: string | undefined) => async (): StatusPromise => {
      const response = await server.app.inject({
        method,
        url: `/rest/v1/me/listings/${id}`,
        headers: deletedPerson.headers,
        ...(method === 'PATCH' ? { payload: { status: 'draft' } } : {}),
      });
      return { status: response.statusCode };
    };
    const statuses = await runConcurrently(
      [
        ...desks.map((id) => () => openAndWrite(friend, id)),
        ...others.map((id) => () => openAndWrite(deletedPerson, id)),
        () => saveListing(server, deletedPerson, { photos: [photo] }),
        () => saveListing(server, deletedPerson, { title: 'A second good desk', photos: [] }),
        () => accounts.deleteAccount(deletedPerson),
        action('PATCH', desks[0]),
        action('DELETE', desks[1]),
      ],
      round,
    );
    for (const status of statuses) expect([200, 400, 401, 404, 409]).toContain(status);
    await expectDeleted(deletedPerson);
  }
  await expectNoDeadlocks();
});

test('deletes an account while a password is set, a session refreshed, a profile changed and a form sent', async () => {
  for (const round of times(5, (n) => n)) {
    const deletedPerson = await server.signIn();
    const { email } = deletedPerson;
    await post('/functions/v1/forgot-password', { email });
    const mail = server.mails.findLast((sent) => sent.kind === 'reset_link' && sent.to === email);
    const token = mail?.kind === 'reset_link' ? mail.token : '';
    const avatar = await insertPhoto(server, deletedPerson, 'me.jpg');
    const statuses = await runConcurrently(
      [
        () => post('/functions/v1/reset-password', { token, password: 'gold-and-cardinal-2' }),
        () => post('/functions/v1/login-password', { email, password: 'cardinal-and-gold-1' }),
        () => post('/functions/v1/forgot-password', { email }),
        () => post('/auth/v1/token?grant_type=refresh_token', { refresh_token: deletedPerson.refreshToken }),
        () => post('/auth/v1/logout?scope=global', {}, deletedPerson),
        () => patchMe(deletedPerson, { bio: 'Hello', avatar_url: avatar }),
        () => post('/rest/v1/forms/report', { subject: 'Noise', details: 'At night' }, deletedPerson),
        () => post('/functions/v1/signup', { email, password: 'cardinal-and-gold-1', fullName: 'New' }),
        () => accounts.deleteAccount(deletedPerson),
      ],
      round,
    );
    for (const status of statuses) expect(status).toBeLessThan(500);
    const [user] = await server.sql`SELECT 1 FROM users WHERE id = ${deletedPerson.userId}`;
    if (!user) expect(await accounts.findTraces(deletedPerson.userId)).toEqual([]);
  }
  await expectNoDeadlocks();
});

test('deletes an account while photos are uploaded, leaving neither row nor file', async () => {
  for (const round of times(3, (n) => n)) {
    const deletedPerson = await server.signIn();
    const statuses = await runConcurrently(
      [
        () => accounts.upload(deletedPerson),
        () => accounts.upload(deletedPerson, 'avatars'),
        () => accounts.upload(deletedPerson),
        async () => {
          // How far the upload has progressed at this point differs from round to round.
          if (round > 0) await accounts.upload(friend);
          return accounts.deleteAccount(deletedPerson);
        },
      ],
      round,
    );
    for (const status of statuses) expect([200, 401]).toContain(status);
    await expectDeleted(deletedPerson);
    await server.jobs.runAll();
    // The folder is created with the first file; it may be missing if no file was ever stored.
    await mkdir(join(server.dataDir, 'files'), { recursive: true });
    const files = await readdir(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true });
    const remainingFiles = files.filter(
      (entry) => entry.isFile() && entry.parentPath.includes(deletedPerson.userId),
    );
    expect(remainingFiles.map(({ name }) => name)).toEqual([]);
  }
});
