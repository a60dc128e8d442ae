import { Socket } from 'phoenix';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { notificationEventSchema, toUserTopic } from '#contract/realtime.ts';
import type { App } from '#server/app.ts';
import { restoreListing, takeDownListing } from '#server/features/listings/public.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { getListeningPort } from '#server/testing/raw-socket.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { notify } from './publishing.ts';

let testApp: TestApp;
let owner: Person;
const sockets: Socket[] = [];
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  owner = await testApp.signIn();
});
afterAll(async () => {
  await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.disconnect(done))));
  await testApp.close();
});

/** Connects a device of a person and collects the `notification` events that it receives. */
const connectDevice = async ({ userId, token }: Person) => {
  const socket = new Socket(`ws://127.0.0.1:${getListeningPort(testApp.server.server)}/realtime/v1`, {
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
  (await sendRequest(testApp, person, 'GET', '/rest/v1/notifications')).body.items;

test('decisions of moderators reach the owner with the reason, on all devices', async () => {
  const stranger = await testApp.signIn();
  const [phone, laptop, others] = [
    await connectDevice(owner),
    await connectDevice(owner),
    await connectDevice(stranger),
  ];
  const { id, title } = (await submitListingForm(testApp, owner)).body.listing;
  await takeDownListing(testApp.app, id, 'It offers what may not be sold here.');
  await testApp.jobs.runAll();
  for (const device of [phone, laptop]) await expect.poll(() => device).toEqual([{ unread_total: 1 }]);
  expect(await list()).toMatchObject([
    {
      kind: 'moderation',
      title: `“${title}” was taken down`,
      text: 'Reason: It offers what may not be sold here.',
      path: '/my-listings',
    },
  ]);
  testApp.clock.advance(1);
  await restoreListing(testApp.app, id);
  await testApp.jobs.runAll();
  expect((await list())[0]).toMatchObject({ title: `“${title}” was restored` });
  expect((await list())[1]).toMatchObject({ text: 'It has been restored since.' });
  expect(await list(stranger)).toEqual([]);
  expect(others).toEqual([]);
});

test('marking notifications as read on one device updates the other devices', async () => {
  const device = await connectDevice(owner);
  await sendRequest(testApp, owner, 'POST', '/rest/v1/notifications/read', {});
  await expect.poll(() => device).toEqual([{ unread_total: 0 }]);
});

test('switching a kind off publishes the new unread count', async () => {
  const person = await testApp.signIn();
  const { id } = (await submitListingForm(testApp, owner)).body.listing;
  await notify(testApp.app, testApp.sql, 'listing_sold', [
    { subjectId: id, facts: {}, userIds: [person.userId] },
  ]);
  await testApp.jobs.runAll();
  const device = await connectDevice(person);
  const change = { channels: { 'saved_listings.app': false } };
  await sendRequest(testApp, person, 'PATCH', '/rest/v1/me/notification-settings', change);
  await expect.poll(() => device).toEqual([{ unread_total: 0 }]);
});

test('an event for a thousand people needs two jobs, and reaches those whose accounts still exist', async () => {
  const person = await testApp.signIn();
  const { id } = (await submitListingForm(testApp, owner)).body.listing;
  const missing = Array.from({ length: 999 }, () => crypto.randomUUID());
  let jobCount = 0;
  const jobs: App['jobs'] = {
    enqueue: async (...job) => {
      jobCount += 1;
      await testApp.jobs.enqueue(...job);
    },
  };
  await notify({ ...testApp.app, jobs }, testApp.sql, 'listing_sold', [
    { subjectId: id, facts: {}, userIds: [...missing, person.userId] },
  ]);
  await testApp.jobs.runAll();
  expect(jobCount).toBe(2);
  expect(await list(person)).toHaveLength(1);
});
