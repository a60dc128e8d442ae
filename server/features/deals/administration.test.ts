import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '#server/app.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { endRental, listUnreturnedRentals } from './public.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let owner: Person;
let renter: Person;
let app: App;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
  owner = await testApp.signIn({ fullName: 'Olive Owner' });
  renter = await testApp.signIn({ fullName: 'Rita Renter' });
  app = { ...testApp.app, actor: { name: 'shell:alice', reason: 'The renter left the campus' } };
});
afterAll(() => testApp.close());

const days = { first_day: '2026-03-02', last_day: '2026-03-09' };
const deleteAccount = (person: Person) =>
  testApp.server.inject({
    method: 'DELETE',
    url: '/rest/v1/me',
    headers: person.headers,
    payload: { confirmation: 'DELETE' },
  });

test('an administrator can end a rental whose item is out, and both parties see the reason', async () => {
  const listingId = await client.list(owner, { title: 'A camera to borrow', category: 'rentals', price: 20 });
  const deal = (await client.start(renter, listingId, days)).body;
  const waiting = (await client.start(await testApp.signIn(), listingId, days)).body;
  await client.take(owner, deal, 'accept');
  const reason = 'The renter left the campus';
  await expect(endRental(app, deal.id, reason)).rejects.toThrow('is no rental that is out');
  await client.take(renter, deal, 'received');
  expect(await listUnreturnedRentals(app, renter.email)).toMatchObject([
    { id: deal.id, state: 'out', seller_email: owner.email, buyer_email: renter.email, ...days },
  ]);
  expect((await deleteAccount(renter)).json().code).toBe('rental_unfinished');

  expect(await endRental(app, deal.id, reason)).toMatchObject({ state: 'closed' });
  for (const person of [owner, renter]) {
    expect((await client.listLines(person, deal)).at(-1)).toMatchObject({
      kind: 'system',
      message_text: 'An administrator ended this rental: The renter left the campus',
    });
    expect(await client.get(person, deal)).toMatchObject({ state: 'closed', transitions: [] });
  }
  const entries = await testApp.sql`
    SELECT user_id, actor, reason, detail FROM private.security_events WHERE event = 'rental_ended' ORDER BY user_id`;
  expect(entries).toEqual(
    [owner, renter]
      .map(({ userId }) => ({ user_id: userId, actor: 'shell:alice', reason, detail: deal.id }))
      .sort((a, b) => (a.user_id < b.user_id ? -1 : 1)),
  );
  await testApp.jobs.runAll();
  expect(await client.get(owner, waiting)).toMatchObject({ state: 'offered', waiting: false });
  await expect(endRental(app, deal.id, reason)).rejects.toThrow('is no rental that is out');
  expect((await deleteAccount(renter)).statusCode).toBe(200);
});

test('promise 65: the parties cannot use the transition with which an administrator ends a rental', async () => {
  const listingId = await client.list(owner, { title: 'A tripod to borrow', category: 'rentals', price: 20 });
  const other = await testApp.signIn();
  const deal = (await client.start(other, listingId, days)).body;
  await client.take(owner, deal, 'accept');
  await client.take(other, deal, 'received');
  expect((await client.take(owner, deal, 'end_rental')).status).toBe(400);
  expect((await client.get(owner, deal)).state).toBe('out');
});
