import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDeletableAccounts } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTalk, insertDesk } from '#server/testing/conversations.ts';
import { notePhoto, saveListing } from '#server/testing/listings.ts';

let server: TestApp;
let talk: ReturnType<typeof createTalk>;
let leavers: ReturnType<typeof createDeletableAccounts>;
let friend: Person;

beforeAll(async () => {
  server = await startTestApp();
  talk = createTalk(server);
  leavers = createDeletableAccounts(server);
});
beforeEach(async () => {
  friend = await server.signIn();
});
afterAll(() => server.close());

type Answer = Promise<{ status: number }>;
const times = <Result>(count: number, act: (n: number) => Result): Result[] =>
  Array.from({ length: count }, (_, n) => act(n));

/** Everything at once, in an order of each round's own. */
const atOnce = async (acts: (() => Answer)[], round: number): Promise<number[]> => {
  const turned = [...acts.slice(round % acts.length), ...acts.slice(0, round % acts.length)];
  const answers = await Promise.all(turned.map((act) => act()));
  return [...new Set(answers.map(({ status }) => status))];
};

const expectGone = async (leaver: Person): Promise<void> => {
  // A code may be asked for, for any address, at any time.
  await server.sql`DELETE FROM private.codes WHERE email = ${leaver.email}`;
  expect(await leavers.tracesOf(leaver.userId, leaver.email)).toEqual([]);
  const unknown = await server.sql`SELECT 1 FROM users WHERE id = ${leaver.userId}`;
  expect(unknown).toHaveLength(0);
};

const expectNoDeadlocks = async (): Promise<void> => {
  await server.sql`SELECT pg_stat_force_next_flush()`;
  const [row] = await server.sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`;
  expect(row?.deadlocks).toBe(0);
};

const post = async (url: string, payload: object, person?: Person): Answer => {
  const answer = await server.app.inject({
    method: 'POST',
    url,
    payload,
    ...(person ? { headers: person.headers } : {}),
  });
  return { status: answer.statusCode };
};
const patchMe = async (person: Person, payload: object): Answer => {
  const url = '/rest/v1/me';
  const answer = await server.app.inject({ method: 'PATCH', url, headers: person.headers, payload });
  return { status: answer.statusCode };
};

test('leaving twice at once: one goes, the other is told so, and nothing is left', async () => {
  const leaver = await server.signIn();
  await saveListing(server, leaver);
  const answers = await Promise.all(times(5, () => leavers.leave(leaver)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  await expectGone(leaver);
});

test('leaving while both sides write: messages are refused or kept, without any deadlock', async () => {
  for (const round of times(5, (n) => n)) {
    const leaver = await server.signIn();
    const talks = await Promise.all([
      ...times(3, () => talk.begin(leaver, friend)),
      ...times(3, () => talk.begin(friend, leaver)),
    ]);
    for (const { id } of talks) await talk.send(friend, id, 'Before');
    const statuses = await atOnce(
      [
        ...talks.flatMap(({ id }) => [
          () => talk.send(friend, id, 'One'),
          () => talk.send(leaver, id, 'Two'),
          () => talk.send(friend, id, 'Three'),
        ]),
        () => leavers.leave(leaver),
        () => talk.ask(friend, 'POST', talk.at(talks[0]?.id ?? '', '/read'), { seq: 1 }),
      ],
      round * 3,
    );
    for (const status of statuses) expect([200, 401, 404, 409]).toContain(status);
    await expectGone(leaver);
    for (const { id } of talks) {
      const kept = (await talk.ask(friend, 'GET', talk.at(id, '/messages?limit=100'))).body.items;
      expect(kept.map(({ seq }: { seq: number }) => seq)).toEqual(times(kept.length, (n) => n + 1));
    }
  }
  await expectNoDeadlocks();
});

test('leaving while conversations begin and listings are saved, withdrawn and deleted', async () => {
  for (const round of times(5, (n) => n)) {
    const leaver = await server.signIn();
    const desks = await Promise.all(times(3, () => insertDesk(server, leaver)));
    const others = await Promise.all(times(3, () => insertDesk(server, friend)));
    const photo = await notePhoto(server, leaver, 'desk.jpg');
    const openAndWrite = async (person: Person, listingId: string): Answer => {
      const { status, body } = await talk.open(person, listingId);
      return status === 200 ? talk.send(person, body.id, 'Hello') : { status };
    };
    const act = (method: 'PATCH' | 'DELETE', id: string | undefined) => async (): Answer => {
      const answer = await server.app.inject({
        method,
        url: `/rest/v1/me/listings/${id}`,
        headers: leaver.headers,
        ...(method === 'PATCH' ? { payload: { status: 'draft' } } : {}),
      });
      return { status: answer.statusCode };
    };
    const statuses = await atOnce(
      [
        ...desks.map((id) => () => openAndWrite(friend, id)),
        ...others.map((id) => () => openAndWrite(leaver, id)),
        () => saveListing(server, leaver, { photos: [photo] }),
        () => saveListing(server, leaver, { title: 'A second good desk', photos: [] }),
        () => leavers.leave(leaver),
        act('PATCH', desks[0]),
        act('DELETE', desks[1]),
      ],
      round,
    );
    for (const status of statuses) expect([200, 400, 401, 404, 409]).toContain(status);
    await expectGone(leaver);
  }
  await expectNoDeadlocks();
});

test('leaving while a password is set, a session renewed, a profile changed and a form sent', async () => {
  for (const round of times(5, (n) => n)) {
    const leaver = await server.signIn();
    const { email } = leaver;
    await post('/functions/v1/forgot-password', { email });
    const mail = server.mails.findLast((sent) => sent.kind === 'reset_link' && sent.to === email);
    const token = mail?.kind === 'reset_link' ? mail.token : '';
    const avatar = await notePhoto(server, leaver, 'me.jpg');
    const statuses = await atOnce(
      [
        () => post('/functions/v1/reset-password', { token, password: 'gold-and-cardinal-2' }),
        () => post('/functions/v1/login-password', { email, password: 'cardinal-and-gold-1' }),
        () => post('/functions/v1/forgot-password', { email }),
        () => post('/auth/v1/token?grant_type=refresh_token', { refresh_token: leaver.refreshToken }),
        () => post('/auth/v1/logout?scope=global', {}, leaver),
        () => patchMe(leaver, { bio: 'Hello', avatar_url: avatar }),
        () => post('/rest/v1/forms/report', { subject: 'Noise', details: 'At night' }, leaver),
        () => post('/functions/v1/signup', { email, password: 'cardinal-and-gold-1', fullName: 'New' }),
        () => leavers.leave(leaver),
      ],
      round,
    );
    for (const status of statuses) expect(status).toBeLessThan(500);
    const [left] = await server.sql`SELECT 1 FROM users WHERE id = ${leaver.userId}`;
    if (!left) expect(await leavers.tracesOf(leaver.userId)).toEqual([]);
  }
  await expectNoDeadlocks();
});

test('leaving while photos are uploaded leaves neither row nor file', async () => {
  for (const round of times(3, (n) => n)) {
    const leaver = await server.signIn();
    const statuses = await atOnce(
      [
        () => leavers.upload(leaver),
        () => leavers.upload(leaver, 'avatars'),
        () => leavers.upload(leaver),
        async () => {
          // Where the upload stands by then differs from round to round.
          if (round > 0) await leavers.upload(friend);
          return leavers.leave(leaver);
        },
      ],
      round,
    );
    for (const status of statuses) expect([200, 401]).toContain(status);
    await expectGone(leaver);
    await server.jobs.runAll();
    // Made with the first file, which may never have come so far.
    await mkdir(join(server.dataDir, 'files'), { recursive: true });
    const files = await readdir(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true });
    const theirs = files.filter((it) => it.isFile() && it.parentPath.includes(leaver.userId));
    expect(theirs.map(({ name }) => name)).toEqual([]);
  }
});
