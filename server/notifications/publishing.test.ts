import { Socket } from 'phoenix';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { notificationEventSchema, toUserTopic } from '#contract/realtime.ts';
import type { ListingModeration } from '#server/listings/public.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { createTestListingModeration } from '#server/testing/moderation.ts';
import { getListeningPort } from '#server/testing/raw-socket.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { createNotifier } from './publishing.ts';

let quad: TestApp;
let owner: Person;
let moderation: ListingModeration;
const sockets: Socket[] = [];
beforeAll(async () => {
  quad = await startTestApp();
  await quad.app.listen({ port: 0, host: '127.0.0.1' });
  owner = await quad.signIn();
  moderation = createTestListingModeration(quad);
});
afterAll(async () => {
  await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.disconnect(done))));
  await quad.close();
});

/** Connects a device of a person and collects the `notification` events that it receives. */
const connectDevice = async ({ userId, token }: Person) => {
  const socket = new Socket(`ws://127.0.0.1:${getListeningPort(quad.app.server)}/realtime/v1`, {
    transport: WebSocket,
  });
  sockets.push(socket);
  socket.connect();
  const received: z.infer<typeof notificationEventSchema>[] = [];
  const channel = socket.channel(toUserTopic(userId), { access_token: token });
  channel.on('notification', (payload: object) => void received.push(notificationEventSchema.parse(payload)));
  await new Promise((done, refused) => {
    channel.join().receive('ok', done).receive('error', refused);
  });
  return received;
};
const list = async (person = owner) =>
  (await sendRequest(quad, person, 'GET', '/rest/v1/notifications')).body.items;

test('decisions of moderators reach the owner with the reason, on all devices', async () => {
  const stranger = await quad.signIn();
  const [phone, laptop, others] = [
    await connectDevice(owner),
    await connectDevice(owner),
    await connectDevice(stranger),
  ];
  const { id, title } = (await submitListingForm(quad, owner)).body.listing;
  await moderation.takeDown(id, 'It offers what may not be sold here.');
  await quad.jobs.runAll();
  for (const device of [phone, laptop]) await expect.poll(() => device).toEqual([{ unread_total: 1 }]);
  expect(await list()).toMatchObject([
    {
      kind: 'moderation',
      title: `“${title}” was taken down`,
      text: 'Reason: It offers what may not be sold here.',
      path: '/my-listings',
    },
  ]);
  quad.clock.advance(1);
  await moderation.restore(id);
  await quad.jobs.runAll();
  expect((await list())[0]).toMatchObject({ title: `“${title}” was restored` });
  expect((await list())[1]).toMatchObject({ text: 'It has been restored since.' });
  expect(await list(stranger)).toEqual([]);
  expect(others).toEqual([]);
});

test('marking notifications as read on one device updates the other devices', async () => {
  const device = await connectDevice(owner);
  await sendRequest(quad, owner, 'POST', '/rest/v1/notifications/read', {});
  await expect.poll(() => device).toEqual([{ unread_total: 0 }]);
});

test('switching a kind off publishes the new unread count', async () => {
  const person = await quad.signIn();
  const { id } = (await submitListingForm(quad, owner)).body.listing;
  await createNotifier(quad.jobs)(quad.sql, 'listing_sold', [
    { subjectId: id, facts: {}, userIds: [person.userId] },
  ]);
  await quad.jobs.runAll();
  const device = await connectDevice(person);
  const change = { channels: { 'saved_listings.app': false } };
  await sendRequest(quad, person, 'PATCH', '/rest/v1/me/notification-settings', change);
  await expect.poll(() => device).toEqual([{ unread_total: 0 }]);
});

test('an event for a thousand people needs two jobs, and reaches those whose accounts still exist', async () => {
  const person = await quad.signIn();
  const { id } = (await submitListingForm(quad, owner)).body.listing;
  const missing = Array.from({ length: 999 }, () => crypto.randomUUID());
  let jobCount = 0;
  const notify = createNotifier({
    enqueue: async (...job) => {
      jobCount += 1;
      await quad.jobs.enqueue(...job);
    },
  });
  await notify(quad.sql, 'listing_sold', [
    { subjectId: id, facts: {}, userIds: [...missing, person.userId] },
  ]);
  await quad.jobs.runAll();
  expect(jobCount).toBe(2);
  expect(await list(person)).toHaveLength(1);
});
