import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailQueue } from '#server/mail/outbox.ts';
import { notificationQueue } from '#server/notifications/public.ts';
import { type JobQueue, startJobQueue } from '#server/platform/jobs.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { startPushService, trustedPushServices } from '#server/testing/push-service.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { logInWithPassword } from '#server/testing/second-factors.ts';
import { pushQueue } from './queue.ts';
import { pushDelaySeconds } from './sql.ts';
import { type PushTestApp, pushSubscriptionsPath, startPushTestApp } from './testing.ts';

describe('promise 77: a push service that fails', () => {
  let quad: PushTestApp;
  let seller: Person;
  let buyer: Person;
  beforeAll(async () => {
    quad = await startPushTestApp();
  });
  beforeEach(async () => {
    quad.service.respondWith(201);
    seller = await quad.signIn();
    buyer = await quad.signIn();
  });
  afterAll(() => quad.close());
  /**
   * Subscribes a browser of the seller and sends the seller a message, so that a push notification becomes
   * due.
   */
  const prepare = async () => {
    const browser = await quad.subscribe(seller);
    const { id } = await quad.talk.begin(buyer, seller);
    await quad.talk.send(buyer, id, 'Hello');
    return browser;
  };

  test.each([404, 410])('with status %i ends the subscription', async (status) => {
    await prepare();
    quad.service.respondWith(status);
    await quad.send();
    expect((await quad.listDevices(seller)).items).toEqual([]);
  });

  test.each([429, 500, 503])('with status %i is retried', async (status) => {
    const browser = await prepare();
    quad.service.respondWith(status);
    await expect(quad.send()).rejects.toThrow(`The push service responded with ${status}`);
    expect(browser.requests()).toHaveLength(1);
    expect((await quad.listDevices(seller)).items).toHaveLength(1);
  });

  test.each([400, 403, 413])('with status %i is not retried, and the subscription stays', async (status) => {
    const browser = await prepare();
    quad.service.respondWith(status);
    await quad.send();
    expect(browser.requests()).toHaveLength(1);
    expect((await quad.listDevices(seller)).items).toMatchObject([{ last_used_at: null }]);
  });

  test('with a redirect is not followed', async () => {
    const browser = await prepare();
    const before = quad.service.received.length;
    quad.service.respondWith(302);
    await quad.send();
    expect(browser.requests()).toHaveLength(1);
    expect(quad.service.received).toHaveLength(before + 1);
  });

  test('that does not respond pauses all pushes to the browser', async () => {
    const browser = await prepare();
    quad.service.respondWith('hang');
    await quad.send();
    expect(browser.requests()).toHaveLength(1);
    const other = await quad.signIn();
    const { id } = await quad.talk.begin(other, seller);
    await quad.talk.send(other, id, 'Is it still there?');
    quad.service.respondWith(201);
    await quad.send();
    expect(browser.requests()).toHaveLength(1);
    quad.clock.advance(60);
    await quad.jobs.runAll();
    expect(browser.requests()).toHaveLength(3);
  }, 30_000);

  test('a push that could not be sent for a day is dropped', async () => {
    const browser = await prepare();
    quad.clock.advance(pushDelaySeconds);
    await quad.queue();
    quad.clock.advance(24 * 3600);
    await quad.jobs.runAll();
    expect(browser.requests()).toEqual([]);
  });
});

describe('promise 77: a push service that hangs', () => {
  let quad: TestApp;
  let jobs: JobQueue;
  const services: Awaited<ReturnType<typeof startPushService>>[] = [];
  beforeAll(async () => {
    // The job queue is started after the application, which creates the database for it; until then, this proxy
    // collects the jobs that the application declares.
    const late: { jobs?: JobQueue } = {};
    const forward: JobQueue = new Proxy({} as JobQueue, {
      get: (_, name: keyof JobQueue) =>
        name === 'work' || name === 'repeat' || name === 'poll'
          ? async (...given: unknown[]) => void declared.push([name, given])
          : late.jobs?.[name],
    });
    const declared: [keyof JobQueue, unknown[]][] = [];
    // No request times out during a test, so that the number of open requests never depends on the speed of the machine.
    const localPushServices = { ...trustedPushServices, requestTimeoutMs: 120_000 };
    quad = await startTestApp({ deps: { jobs: forward, localPushServices } });
    jobs = await startJobQueue(quad.databaseUrl, [pushQueue, notificationQueue, mailQueue], silentLog);
    late.jobs = jobs;
    for (const [name, given] of declared)
      if ((given[0] as { name?: string }).name === 'push' || given[0] === 'due-pushes')
        await (jobs[name] as (...args: unknown[]) => Promise<void>)(...given);
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });
  afterAll(async () => {
    await quad.app.close();
    await jobs.stop();
    await quad.close();
  });

  const startServices = async (...hostnames: (string | undefined)[]) => {
    const started = await Promise.all(hostnames.map((hostname) => startPushService(hostname)));
    services.push(...started);
    return started;
  };
  const subscribe = async (person: Person, service: (typeof services)[number]) => {
    const browser = service.subscribe();
    await sendRequest(quad, person, 'POST', pushSubscriptionsPath, browser.form);
    return browser;
  };
  const countWaiting = () => services.reduce((sum, service) => sum + service.countWaiting(), 0);
  /** Expects that a push notification is delivered through a working push service while another service hangs. */
  const expectDelivery = async () => {
    const [working] = (await startServices('127.0.0.1')) as [(typeof services)[number]];
    const [seller, buyer] = [await quad.signIn(), await quad.signIn()];
    const browser = await subscribe(seller, working);
    const talk = createConversationClient(quad);
    const { id } = await talk.begin(buyer, seller);
    await talk.send(buyer, id, 'Hello');
    quad.clock.advance(pushDelaySeconds);
    await working.waitFor(1);
    expect(browser.pushes()).toMatchObject([{ text: 'Hello' }]);
  };

  test('does not delay people whose browsers use another service', async () => {
    const [hanging] = (await startServices(undefined)) as [(typeof services)[number]];
    hanging.respondWith('hang');
    const talk = createConversationClient(quad);
    const buyer = await quad.signIn();
    for (let index = 0; index < 12; index += 1) {
      const seller = await quad.signIn();
      await subscribe(seller, hanging);
      const { id } = await talk.begin(buyer, seller);
      await talk.send(buyer, id, 'Hello');
    }
    quad.clock.advance(pushDelaySeconds);
    await hanging.waitFor(1);
    await expectDelivery();
    expect(countWaiting()).toBeLessThanOrEqual(2);
  });

  test('on several ports of one host counts as one service', async () => {
    const hanging = await startServices(undefined, undefined, undefined);
    const talk = createConversationClient(quad);
    const buyer = await quad.signIn();
    for (const service of hanging) {
      service.respondWith('hang');
      const seller = await quad.signIn();
      await subscribe(seller, service);
      const { id } = await talk.begin(buyer, seller);
      await talk.send(buyer, id, 'Hello');
    }
    quad.clock.advance(pushDelaySeconds);
    await expectDelivery();
    expect(countWaiting()).toBeLessThanOrEqual(2);
  });

  test('on many hosts occupies only a few slots for the browsers of one account', async () => {
    const hanging = await startServices(...[2, 3, 4, 5, 6, 7].map((last) => `127.0.0.${last}`));
    const talk = createConversationClient(quad);
    const [seller, buyer] = [await quad.signIn(), await quad.signIn()];
    for (const service of hanging) {
      service.respondWith('hang');
      await subscribe(await logInWithPassword(quad, seller), service);
    }
    const { id } = await talk.begin(buyer, seller);
    await talk.send(buyer, id, 'Hello');
    quad.clock.advance(pushDelaySeconds);
    await expectDelivery();
    expect(countWaiting()).toBeLessThanOrEqual(4);
  });
});
