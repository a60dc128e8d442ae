import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { buildMessagePhotoPath } from '#contract/conversations.ts';
import type { Deal } from '#contract/deals.ts';
import type { RentalPhotoStep } from '#contract/rental-photos.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { suspendByCommand } from '#server/testing/suspensions.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let conversations: ReturnType<typeof createConversationClient>;
let owner: Person;
let renter: Person;
let stranger: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
  conversations = createConversationClient(testApp);
  stranger = await testApp.signIn({ fullName: 'Stella Stranger' });
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  owner = await testApp.signIn({ fullName: 'Olive Owner' });
  renter = await testApp.signIn({ fullName: 'Rita Renter' });
});

const passDays = (days: number) => testApp.clock.advance(days * 86_400);

/** A rental from March 3 to 5 that the owner has accepted. It is March 2. */
const holdRental = async (): Promise<Deal> => {
  const listingId = await client.list(owner, {
    title: `Camera ${randomUUID()}`,
    category: 'rentals',
    price: 20,
    rentalPeriod: 'day',
  });
  const days = { first_day: '2026-03-03', last_day: '2026-03-05' };
  const { body } = await client.start(renter, listingId, days);
  return (await client.take(owner, body, 'accept')).body;
};

/** The same rental when the renter has the item. */
const rentOut = async (): Promise<Deal> => {
  const deal = await holdRental();
  return (await client.take(renter, deal, 'received')).body;
};

const upload = async (person: Person, count = 1): Promise<string[]> => {
  const ids: string[] = [];
  // Renews the session if days have passed.
  await list(person, { id: randomUUID() });
  for (let index = 0; index < count; index += 1) ids.push((await conversations.uploadPhoto(person)).id);
  return ids;
};

const add = async (
  person: Person,
  { id }: Pick<Deal, 'id'>,
  step: RentalPhotoStep,
  photos?: readonly string[],
  form: object = {},
) =>
  client.request(person, 'POST', `/rest/v1/deals/${id}/photos`, {
    client_id: randomUUID(),
    step,
    photos: photos ?? (await upload(person)),
    ...form,
  });

const list = (person: Person, { id }: Pick<Deal, 'id'>) =>
  client.request(person, 'GET', `/rest/v1/deals/${id}/photos`);

const remove = (person: Person, { id }: Pick<Deal, 'id'>, messageId: string) =>
  client.request(person, 'DELETE', `/rest/v1/deals/${id}/photos/${messageId}`);

const read = async (person: Person, deal: Deal, photo: string) => {
  // Renews the session if days have passed.
  await list(person, deal);
  const response = await testApp.server.inject({
    url: buildMessagePhotoPath(deal.conversation_id, photo),
    headers: person.headers,
  });
  return { status: response.statusCode };
};

const listMessages = async (person: Person, { conversation_id: id }: Deal) =>
  (await client.request(person, 'GET', `/rest/v1/conversations/${id}/messages`)).body.items;

const closed = {
  status: 409,
  body: { code: 'rental_photos_closed', error: 'Photos of this step can no longer be added.' },
};

const kept = {
  status: 409,
  body: {
    code: 'rental_photos_kept',
    error: "These photos can't be removed any more: they show the condition of the rented item.",
  },
};

describe('photos of the condition of a rented item', () => {
  test('are messages to the other party, and listed by step, oldest first', async () => {
    const deal = await holdRental();
    expect(await client.get(owner, deal)).not.toHaveProperty('has_photos');
    const before = await upload(owner, 2);
    const sent = await add(owner, deal, 'pick_up', before);
    expect(await client.get(renter, deal)).toHaveProperty('has_photos', true);
    expect(sent.status).toBe(200);
    expect(calls.addRentalPhotos.output.parse(sent.body)).toEqual(sent.body);
    expect(sent.body).toMatchObject({
      message_text: 'Photos at pick-up',
      photos: before.map((id) => ({ id })),
    });
    await client.take(renter, deal, 'received');
    const after = (await add(renter, deal, 'return')).body;
    for (const person of [owner, renter]) {
      const { body } = await list(person, deal);
      expect(calls.listRentalPhotos.output.parse(body)).toEqual(body);
      expect(body.items).toMatchObject([
        ...before.map((id) => ({ id, step: 'pick_up', by: 'seller', message_id: sent.body.id })),
        { id: after.photos[0].id, step: 'return', by: 'buyer', message_id: after.id },
      ]);
      for (const { id } of body.items) expect((await read(person, deal, id)).status).toBe(200);
    }
    const texts = (await listMessages(renter, deal)).flatMap(
      ({ kind, message_text: text }: { kind: string; message_text: string }) =>
        kind === 'text' ? [text] : [],
    );
    expect(texts).toEqual(['Photos at pick-up', 'Photos at return']);
  });

  test('promise 97: are for the two parties only; others cannot tell the rental from one that does not exist', async () => {
    const deal = await rentOut();
    const message = (await add(renter, deal, 'return')).body;
    const unknown = { id: randomUUID() };
    for (const ask of [
      (it: Pick<Deal, 'id'>) => list(stranger, it),
      (it: Pick<Deal, 'id'>) => remove(stranger, it, message.id),
      async (it: Pick<Deal, 'id'>) => add(stranger, it, 'return'),
    ]) {
      const response = await ask(deal);
      expect(response.status).toBe(404);
      expect(response).toEqual(await ask(unknown));
    }
    expect((await read(stranger, deal, message.photos[0].id)).status).toBe(404);
    expect((await remove(owner, deal, message.id)).body.code).toBe('message_not_found');
    expect((await testApp.server.inject({ url: `/rest/v1/deals/${deal.id}/photos` })).statusCode).toBe(401);
  });

  test('are at most five of each person for each step; unsent ones do not count', async () => {
    const deal = await rentOut();
    const first = (await add(renter, deal, 'return', await upload(renter, 4))).body;
    const tooMany = { status: 400, body: { fields: { photos: 'Maximum 5 photos allowed' } } };
    expect(await add(renter, deal, 'return', await upload(renter, 2))).toMatchObject(tooMany);
    expect((await list(owner, deal)).body.items).toHaveLength(4);
    expect((await add(renter, deal, 'pick_up', await upload(renter, 5))).status).toBe(200);
    expect((await add(owner, deal, 'return', await upload(owner, 5))).status).toBe(200);
    expect((await remove(renter, deal, first.id)).status).toBe(200);
    expect((await add(renter, deal, 'return', await upload(renter, 5))).status).toBe(200);
    expect(await add(renter, deal, 'return')).toMatchObject(tooMany);
  });

  test('are at most five also when they are sent at the same time', async () => {
    const deal = await rentOut();
    const photos = await upload(renter, 6);
    const sent = await Promise.all(
      [photos.slice(0, 3), photos.slice(3)].map((some) => add(renter, deal, 'return', some)),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await list(owner, deal)).body.items).toHaveLength(3);
  });

  test('again with the same client id returns the stored message, also when the step is over', async () => {
    const deal = await rentOut();
    const [photos, form] = [await upload(owner), { client_id: randomUUID() }];
    const first = await add(owner, deal, 'return', photos, form);
    await client.take(owner, deal, 'returned');
    expect(await add(owner, deal, 'return', photos, form)).toEqual(first);
    expect((await list(owner, deal)).body.items).toHaveLength(1);
  });

  test('of pick-up can be added from the day before the first day until the day after it', async () => {
    testApp.clock.set(new Date('2026-03-01T18:00:00.000Z'));
    const deal = await holdRental();
    expect(await add(owner, deal, 'pick_up')).toEqual(closed);
    passDays(1);
    expect((await add(owner, deal, 'pick_up')).status).toBe(200);
    expect(await add(owner, deal, 'return')).toEqual(closed);
    await client.take(renter, deal, 'received');
    passDays(2);
    expect((await add(renter, deal, 'pick_up')).status).toBe(200);
    passDays(1);
    expect(await add(renter, deal, 'pick_up')).toEqual(closed);
    expect((await add(renter, deal, 'return')).status).toBe(200);
  });

  test('are refused when the rental is over, and in deals that are no rentals', async () => {
    const deal = await rentOut();
    await client.take(renter, deal, 'returned');
    expect((await add(owner, deal, 'return')).status).toBe(200);
    await client.take(owner, deal, 'returned');
    for (const step of ['pick_up', 'return'] as const)
      for (const person of [owner, renter]) expect(await add(person, deal, step)).toEqual(closed);
    const { seller, held } = await client.holdListing({});
    expect(await add(seller, held, 'pick_up')).toEqual(closed);
    expect(await list(seller, held)).toEqual({ status: 200, body: { items: [] } });
  });

  test('can be removed by their sender until the step is over, however old they are', async () => {
    const deal = await rentOut();
    const message = (await add(renter, deal, 'return')).body;
    const last = (await add(renter, deal, 'return')).body;
    passDays(1);
    const removed = await remove(renter, deal, message.id);
    expect(removed.body).toMatchObject({ id: message.id, unsent_number: 1 });
    expect(await remove(renter, deal, message.id)).toEqual(removed);
    expect((await read(owner, deal, message.photos[0].id)).status).toBe(404);
    expect((await list(owner, deal)).body.items).toMatchObject([{ message_id: last.id }]);
    await client.take(owner, deal, 'returned');
    expect(await remove(renter, deal, last.id)).toEqual(kept);
  });

  test('stay once their step is over, also when their message is young enough to be unsent', async () => {
    const deal = await rentOut();
    const unsend = ({ id }: { id: string }) => conversations.unsend(renter, deal.conversation_id, id);
    const changed = (await add(renter, deal, 'return')).body;
    const last = (await add(renter, deal, 'return')).body;
    expect((await unsend(changed)).body).toMatchObject({ id: changed.id, unsent_number: 1 });
    await client.take(owner, deal, 'returned');
    expect(await unsend(last)).toEqual(kept);
    expect((await list(owner, deal)).body.items).toMatchObject([{ message_id: last.id }]);
  });

  test('can be removed after a rental that was canceled before the handover', async () => {
    const deal = await holdRental();
    const young = (await add(renter, deal, 'pick_up')).body;
    const old = (await add(renter, deal, 'pick_up')).body;
    await client.take(owner, deal, 'cancel', { reason: 'Changed my mind' });
    expect((await conversations.unsend(renter, deal.conversation_id, young.id)).status).toBe(200);
    passDays(1);
    expect((await remove(renter, deal, old.id)).status).toBe(200);
    expect((await list(owner, deal)).body.items).toEqual([]);
    expect(await add(renter, deal, 'pick_up')).toEqual(closed);
  });

  test('are refused when the other party ends the step while they are being stored', async () => {
    const deal = await rentOut();
    const photos = await upload(owner);
    const waiters = (count: number) =>
      expect
        .poll(
          () => testApp.sql`
            SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
          { timeout: 10_000 },
        )
        .toHaveLength(count);
    let requests: Promise<unknown>[] = [];
    await testApp.sql.begin(async (tx) => {
      // Both the line of the return and the message wait for this lock; the first to ask for it gets it first.
      await tx`SELECT FROM conversations WHERE id = ${deal.conversation_id} FOR UPDATE`;
      requests = [client.take(owner, deal, 'returned')];
      await waiters(1);
      requests.push(add(owner, deal, 'return', photos));
      await waiters(2);
    });
    expect(await Promise.all(requests)).toMatchObject([{ body: { state: 'completed' } }, closed]);
    expect((await list(renter, deal)).body.items).toEqual([]);
  });

  test('must be uploaded by their sender and not sent before', async () => {
    const deal = await rentOut();
    const [sent = ''] = await upload(renter);
    await add(renter, deal, 'return', [sent]);
    for (const photos of [[sent], [randomUUID()], await upload(owner)])
      expect((await add(renter, deal, 'return', photos)).body.code).toBe('message_photo_gone');
    expect((await add(renter, deal, 'return', [])).status).toBe(400);
  });

  test('can be added after a block, as messages can until the item is back, but not while suspended', async () => {
    const deal = await rentOut();
    const [photo] = (await add(renter, deal, 'pick_up')).body.photos;
    await client.request(owner, 'PUT', `/rest/v1/me/blocks/${renter.userId}`);
    expect((await add(renter, deal, 'return')).status).toBe(200);
    expect((await list(renter, deal)).body.items).toHaveLength(2);
    const prepared = await upload(renter);
    await suspendByCommand(testApp.app, renter.userId);
    expect((await add(renter, deal, 'return', prepared)).status).toBe(401);
    expect((await list(renter, deal)).status).toBe(401);
    expect((await list(owner, deal)).body.items).toMatchObject([{ id: photo.id, by: 'buyer' }, {}]);
  });

  test('are in the data export of both, and go with the account of their sender', async () => {
    const deal = await rentOut();
    const [photo] = (await add(renter, deal, 'return')).body.photos;
    await add(owner, deal, 'return');
    const url = `http://quad.test${buildMessagePhotoPath(deal.conversation_id, photo.id)}`;
    const accounts = createAccountClient(testApp);
    const own = (await accounts.download(renter)).json();
    expect(own.photos).toContainEqual(expect.objectContaining({ bucket: 'message-photos', url }));
    for (const person of [owner, renter]) {
      const { conversations: exported } = (await accounts.download(person)).json();
      expect(exported[0].messages).toContainEqual(
        expect.objectContaining({ text: 'Photos at return', photos: [url] }),
      );
    }
    await client.take(owner, deal, 'returned');
    await accounts.deleteAccount(renter);
    await testApp.jobs.runAll();
    expect((await list(owner, deal)).body.items).toMatchObject([{ by: 'seller' }]);
    expect((await read(owner, deal, photo.id)).status).toBe(404);
  });
});
