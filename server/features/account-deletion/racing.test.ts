import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient, insertDeskListing } from '#server/testing/conversations.ts';
import { insertPhoto, submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let accounts: ReturnType<typeof createAccountClient>;
let friend: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
  accounts = createAccountClient(testApp);
});
beforeEach(async () => {
  friend = await testApp.signIn();
});
afterAll(() => testApp.close());

type StatusResponsePromise = Promise<{ status: number }>;
const mapRange = <Result>(count: number, action: (n: number) => Result): Result[] =>
  Array.from({ length: count }, (_, n) => action(n));

/** Starts all actions at once, in an order that depends on the round. Returns the distinct HTTP statuses. */
const runConcurrently = async (
  actions: (() => StatusResponsePromise)[],
  round: number,
): Promise<number[]> => {
  const rotated = [...actions.slice(round % actions.length), ...actions.slice(0, round % actions.length)];
  const responses = await Promise.all(rotated.map((action) => action()));
  return [...new Set(responses.map(({ status }) => status))];
};

const expectAccountDeleted = async (deletedPerson: Person): Promise<void> => {
  // Remove one-time codes before searching for traces of the account, because anyone may request a
  // code for any email address, even after the account was deleted.
  await testApp.sql`DELETE FROM private.codes WHERE email = ${deletedPerson.email}`;
  expect(await accounts.findTraces(deletedPerson.userId, deletedPerson.email)).toEqual([]);
  const remaining = await testApp.sql`SELECT 1 FROM users WHERE id = ${deletedPerson.userId}`;
  expect(remaining).toHaveLength(0);
};

const expectNoDeadlocks = async (): Promise<void> => {
  await testApp.sql`SELECT pg_stat_force_next_flush()`;
  const [row] = await testApp.sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`;
  expect(row?.deadlocks).toBe(0);
};

const sendPost = async (url: string, payload: object, person?: Person): StatusResponsePromise => {
  const response = await testApp.server.inject({
    method: 'POST',
    url,
    payload,
    ...(person ? { headers: person.headers } : {}),
  });
  return { status: response.statusCode };
};
const patchOwnProfile = async (person: Person, payload: object): StatusResponsePromise => {
  const url = '/rest/v1/me';
  const response = await testApp.server.inject({ method: 'PATCH', url, headers: person.headers, payload });
  return { status: response.statusCode };
};

test('deletes an account once for concurrent requests; the others get 401 and nothing remains', async () => {
  const deletedPerson = await testApp.signIn();
  await submitListingForm(testApp, deletedPerson);
  const responses = await Promise.all(mapRange(5, () => accounts.deleteAccount(deletedPerson)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  await expectAccountDeleted(deletedPerson);
});

test('deletes an account while both parties write: messages are stored or refused, without deadlock', async () => {
  for (const round of mapRange(5, (n) => n)) {
    const deletedPerson = await testApp.signIn();
    const opened = await Promise.all([
      ...mapRange(3, () => conversationClient.begin(deletedPerson, friend)),
      ...mapRange(3, () => conversationClient.begin(friend, deletedPerson)),
    ]);
    for (const [index, { id }] of opened.entries())
      await conversationClient.send(index < 3 ? deletedPerson : friend, id, 'Before');
    const statuses = await runConcurrently(
      [
        ...opened.flatMap(({ id }) => [
          () => conversationClient.send(friend, id, 'One'),
          () => conversationClient.send(deletedPerson, id, 'Two'),
          () => conversationClient.send(friend, id, 'Three'),
        ]),
        () => accounts.deleteAccount(deletedPerson),
        () =>
          conversationClient.ask(friend, 'POST', conversationClient.at(opened[0]?.id ?? '', '/read'), {
            seq: 1,
          }),
      ],
      round * 3,
    );
    for (const status of statuses) expect([200, 401, 404, 409]).toContain(status);
    await expectAccountDeleted(deletedPerson);
    for (const { id } of opened) {
      const stored = (
        await conversationClient.ask(friend, 'GET', conversationClient.at(id, '/messages?limit=100'))
      ).body.items;
      expect(stored.map(({ seq }: { seq: number }) => seq)).toEqual(mapRange(stored.length, (n) => n + 1));
    }
  }
  await expectNoDeadlocks();
});

test('deletes an account while conversations start and listings are saved, unpublished and deleted', async () => {
  for (const round of mapRange(5, (n) => n)) {
    const deletedPerson = await testApp.signIn();
    const desks = await Promise.all(mapRange(3, () => insertDeskListing(testApp, deletedPerson)));
    const others = await Promise.all(mapRange(3, () => insertDeskListing(testApp, friend)));
    const photo = await insertPhoto(testApp, deletedPerson, 'desk.jpg');
    const openAndWrite = async (person: Person, listingId: string): StatusResponsePromise => {
      const { status, body } = await conversationClient.open(person, listingId);
      return status === 200 ? conversationClient.send(person, body.id, 'Hello') : { status };
    };
    const action =
      (method: 'PATCH' | 'DELETE', id: string | undefined) => async (): StatusResponsePromise => {
        const response = await testApp.server.inject({
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
        () => submitListingForm(testApp, deletedPerson, { photos: [photo] }),
        () => submitListingForm(testApp, deletedPerson, { title: 'A second good desk', photos: [] }),
        () => accounts.deleteAccount(deletedPerson),
        action('PATCH', desks[0]),
        action('DELETE', desks[1]),
      ],
      round,
    );
    for (const status of statuses) expect([200, 400, 401, 404, 409]).toContain(status);
    await expectAccountDeleted(deletedPerson);
  }
  await expectNoDeadlocks();
});

test('deletes an account while both parties start, accept, withdraw and cancel its deals', async () => {
  const deals = createDealClient(testApp);
  for (const round of mapRange(5, (n) => n)) {
    const deletedPerson = await testApp.signIn();
    const [own, others] = await Promise.all(
      [deletedPerson, friend].map((seller) =>
        Promise.all(mapRange(3, (n) => deals.list(seller, { title: `A desk of round ${round} ${n}` }))),
      ),
    );
    const start = async (buyer: Person, listingId: string): Promise<Deal> => {
      const { status, body } = await deals.start(buyer, listingId);
      expect([status, body]).toEqual([200, body]);
      return body;
    };
    const sold = await Promise.all((own ?? []).map((id) => start(friend, id)));
    const bought = await Promise.all((others ?? []).map((id) => start(deletedPerson, id)));
    const fresh = await deals.list(friend, { title: `A shelf of round ${round}` });
    await conversationClient.open(deletedPerson, fresh);
    const statuses = await runConcurrently(
      [
        ...sold.flatMap((deal) => [
          () => deals.take(deletedPerson, deal, 'accept'),
          () => deals.take(friend, deal, 'withdraw'),
        ]),
        ...bought.flatMap((deal) => [
          () => deals.take(friend, deal, 'accept'),
          () => deals.take(friend, deal, 'cancel', { reason: 'No longer needed.' }),
        ]),
        () => deals.start(deletedPerson, fresh),
        () => accounts.deleteAccount(deletedPerson),
      ],
      round * 3,
    );
    for (const status of statuses) expect([200, 401, 404, 409]).toContain(status);
    await expectAccountDeleted(deletedPerson);
  }
  await expectNoDeadlocks();
});

test('deletes an account while a password is set, a session refreshed, a profile changed and a form sent', async () => {
  for (const round of mapRange(5, (n) => n)) {
    const deletedPerson = await testApp.signIn();
    const { email } = deletedPerson;
    await sendPost('/functions/v1/forgot-password', { email });
    const mail = testApp.mails.findLast((sent) => sent.kind === 'reset_link' && sent.to === email);
    const token = mail?.kind === 'reset_link' ? mail.token : '';
    const avatar = await insertPhoto(testApp, deletedPerson, 'me.jpg');
    const statuses = await runConcurrently(
      [
        () => sendPost('/functions/v1/reset-password', { token, password: 'gold-and-cardinal-2' }),
        () => sendPost('/functions/v1/login-password', { email, password: 'cardinal-and-gold-1' }),
        () => sendPost('/functions/v1/forgot-password', { email }),
        () =>
          sendPost('/auth/v1/token?grant_type=refresh_token', { refresh_token: deletedPerson.refreshToken }),
        () => sendPost('/auth/v1/logout?scope=global', {}, deletedPerson),
        () => patchOwnProfile(deletedPerson, { bio: 'Hello', avatar_url: avatar }),
        () => sendPost('/rest/v1/forms/report', { subject: 'Noise', details: 'At night' }, deletedPerson),
        () => sendPost('/functions/v1/signup', { email, password: 'cardinal-and-gold-1', fullName: 'New' }),
        () => accounts.deleteAccount(deletedPerson),
      ],
      round,
    );
    for (const status of statuses) expect(status).toBeLessThan(500);
    const [user] = await testApp.sql`SELECT 1 FROM users WHERE id = ${deletedPerson.userId}`;
    if (!user) expect(await accounts.findTraces(deletedPerson.userId)).toEqual([]);
  }
  await expectNoDeadlocks();
});

test('deletes an account while photos are uploaded, leaving neither row nor file', async () => {
  for (const round of mapRange(3, (n) => n)) {
    const deletedPerson = await testApp.signIn();
    const statuses = await runConcurrently(
      [
        () => accounts.upload(deletedPerson),
        () => accounts.upload(deletedPerson, 'avatars'),
        () => accounts.upload(deletedPerson),
        async () => {
          // From the second round on, upload another person's photo first. The deletion then starts
          // later, when the concurrent uploads have made more progress.
          if (round > 0) await accounts.upload(friend);
          return accounts.deleteAccount(deletedPerson);
        },
      ],
      round,
    );
    for (const status of statuses) expect([200, 401]).toContain(status);
    await expectAccountDeleted(deletedPerson);
    await testApp.jobs.runAll();
    // The file store creates its folder with the first file, so the folder may not exist yet.
    await mkdir(join(testApp.dataDir, 'files'), { recursive: true });
    const files = await readdir(join(testApp.dataDir, 'files'), { recursive: true, withFileTypes: true });
    const remainingFiles = files.filter(
      (entry) => entry.isFile() && entry.parentPath.includes(deletedPerson.userId),
    );
    expect(remainingFiles.map(({ name }) => name)).toEqual([]);
  }
});
