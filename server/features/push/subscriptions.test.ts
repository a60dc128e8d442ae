import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxPushDevices } from '#contract/push.ts';
import { pushDelaySeconds } from '#server/features/notifications/sql.ts';
import { type Person, startTestApp } from '#server/testing/app.ts';
import { createConversationClient, insertDeskListing } from '#server/testing/conversations.ts';
import { createTestPushSubscription, startPushService } from '#server/testing/push-service.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { type PushTestApp, pushSubscriptionsPath, startPushTestApp } from './testing.ts';
import { getVapidKeys } from './vapid-keys.ts';

let quad: PushTestApp;
let person: Person;
beforeAll(async () => {
  quad = await startPushTestApp();
});
beforeEach(async () => {
  person = await quad.signIn({ fullName: 'Penny Person' });
});
afterAll(() => quad.close());

const remove = (by: Person, id?: string) =>
  quad.talk.ask(by, 'DELETE', `${pushSubscriptionsPath}${id === undefined ? '' : `?id=${id}`}`);
const listIds = async (by = person) => (await quad.listDevices(by)).items.map(({ id }) => id);

test('lists the browsers of a person with names, newest first, and marks the current one', async () => {
  const other = await quad.logInAgain(person);
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await quad.save(person, quad.service.subscribe().form, firefox);
  quad.clock.advance(1);
  await quad.subscribe(other);
  const { items, application_server_key: key } = await quad.listDevices(person);
  expect(items).toMatchObject([
    { device_name: 'Chrome on Android', is_current: false, last_used_at: null },
    { device_name: 'Firefox on Linux', is_current: true, last_used_at: null },
  ]);
  expect(key).toMatch(/^B[\w-]{86}$/);
});

test('a session has one subscription: the latest', async () => {
  const first = await quad.subscribe(person);
  const second = await quad.subscribe(person);
  expect(second.id).toBe(first.id);
  expect(await listIds()).toEqual([first.id]);
  const [row] = await quad.sql`SELECT endpoint FROM private.push_subscriptions WHERE id = ${first.id}`;
  expect(row?.endpoint).toBe(second.form.endpoint);
});

test('a subscription belongs to the person who saved it last', async () => {
  const browser = await quad.subscribe(person);
  const next = await quad.signIn();
  expect((await quad.save(next, browser.form)).status).toBe(200);
  expect(await listIds()).toEqual([]);
  expect(await listIds(next)).toHaveLength(1);
});

test('removes the current browser, or another browser of the person by id', async () => {
  const other = await quad.logInAgain(person);
  await quad.subscribe(person);
  const { id } = await quad.subscribe(other);
  expect(await remove(person)).toMatchObject({ status: 200 });
  expect(await listIds()).toEqual([id]);
  expect(await remove(person, id)).toMatchObject({ status: 200 });
  expect(await listIds()).toEqual([]);
});

test('nobody sees or removes the browsers of others', async () => {
  const { id } = await quad.subscribe(person);
  const stranger = await quad.signIn();
  expect(await listIds(stranger)).toEqual([]);
  expect(await remove(stranger, id)).toMatchObject({ status: 200 });
  expect(await listIds()).toEqual([id]);
});

test(`keeps at most ${maxPushDevices} browsers of a person`, async () => {
  const first = await quad.subscribe(person);
  const [session] = await quad.sql`SELECT session_id FROM private.push_subscriptions WHERE id = ${first.id}`;
  await quad.sql`
    WITH added AS (
      INSERT INTO private.sessions (user_id, method, created_at, last_used_at)
      SELECT user_id, method, created_at, last_used_at FROM private.sessions, generate_series(1, ${maxPushDevices})
      WHERE id = ${session?.session_id} RETURNING id
    )
    INSERT INTO private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, device_name, created_at)
    SELECT ${person.userId}, id, 'https://push.example/' || id, 'key', 'auth', 'Other', ${quad.clock.now()} - interval '1 day'
    FROM added`;
  const again = await quad.subscribe(person);
  const ids = await listIds();
  expect(ids).toHaveLength(maxPushDevices);
  expect(ids).toContain(again.id);
});

test('a session that has ended cannot subscribe', async () => {
  await quad.sql`DELETE FROM private.sessions WHERE user_id = ${person.userId}`;
  expect((await quad.save(person, quad.service.subscribe().form)).status).toBe(401);
});

test('the server keys are generated once, even when processes start together, and stored encrypted', async () => {
  const before = (await quad.listDevices(person)).application_server_key;
  const rows = await quad.sql<{ public_key: string; sealed: string }[]>`SELECT * FROM private.vapid_keys`;
  expect(rows.map((row) => row.public_key)).toEqual([before]);
  expect(rows[0]?.sealed).not.toContain(before);
});

test('a new secrets.json creates a new key and removes the subscriptions to the old one', async () => {
  const [before] = await quad.sql`SELECT public_key, sealed FROM private.vapid_keys`;
  await quad.subscribe(person);
  const secrets = { ...quad.app.secrets, pepper: Buffer.alloc(32, 7) };
  const startProcess = () => ({ ...quad.app, secrets, vapidKeyCache: {} });
  const keys = await Promise.all(Array.from({ length: 3 }, () => getVapidKeys(startProcess())));
  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
  expect(keys[0]?.publicKey).not.toBe(before?.public_key);
  expect(await listIds()).toEqual([]);
  await quad.sql`UPDATE private.vapid_keys SET public_key = ${before?.public_key}, sealed = ${before?.sealed}`;
});

describe('push endpoints and keys that are refused', () => {
  let strict: Awaited<ReturnType<typeof startTestApp>>;
  let owner: Person;
  beforeAll(async () => {
    strict = await startTestApp();
    owner = await strict.signIn();
  });
  afterAll(() => strict.close());
  const save = (form: object) => sendRequest(strict, owner, 'POST', pushSubscriptionsPath, form);

  test.each([
    'http://push.example/abc',
    'ftp://push.example/abc',
    'https://localhost/abc',
    'https://push.localhost/abc',
    'https://127.0.0.1/abc',
    'https://127.1/abc',
    'https://0x7f000001/abc',
    'https://2130706433/abc',
    'https://10.0.0.7/abc',
    'https://192.168.1.1:8443/abc',
    'https://169.254.169.254/latest/meta-data',
    'https://0.0.0.0/abc',
    'https://[::1]/abc',
    'https://[::ffff:127.0.0.1]/abc',
    'https://[::127.0.0.1]/abc',
    'https://[::a00:7]/abc',
    'https://[fe80::1]/abc',
    'https://[fd00::1]/abc',
    'https://user:password@push.example/abc',
    `https://push.example/${'a'.repeat(1000)}`,
    'not a url',
  ])('%s', async (endpoint) => {
    const { status, body } = await save(createTestPushSubscription(endpoint).form);
    expect([status, Object.keys(body.fields)]).toEqual([400, ['endpoint']]);
  });

  test('invalid keys', async () => {
    const { form } = createTestPushSubscription();
    const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
    for (const keys of [
      { ...form.keys, p256dh: offCurve },
      { ...form.keys, p256dh: 'short' },
      { ...form.keys, auth: '' },
    ])
      expect((await save({ ...form, keys })).status).toBe(400);
  });

  test('a host that resolves to this machine is not called, and its subscription is removed', async () => {
    const service = await startPushService();
    const { form } = service.subscribe();
    const talk = createConversationClient(strict);
    expect((await save(createTestPushSubscription().form)).status).toBe(200);
    await strict.sql`
      UPDATE private.push_subscriptions SET endpoint = ${form.endpoint} WHERE user_id = ${owner.userId}`;
    const buyer = await strict.signIn();
    const { body } = await talk.open(buyer, await insertDeskListing(strict, owner));
    await talk.send(buyer, body.id, 'Hello');
    strict.clock.advance(pushDelaySeconds);
    await strict.jobs.repeatNow('due-pushes');
    await strict.jobs.runAll();
    expect(service.received).toEqual([]);
    expect(await strict.sql`SELECT FROM private.push_subscriptions`).toHaveLength(0);
    await service.close();
  });
});
