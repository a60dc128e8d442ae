import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notificationQueue } from '#server/features/notifications/public.ts';
import { pushDelaySeconds } from '#server/features/notifications/sql.ts';
import { mailQueue } from '#server/mail/outbox.ts';
import { type JobQueue, startJobQueue } from '#server/platform/jobs.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { startPushService, trustedPushServices } from '#server/testing/push-service.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { logInWithPassword } from '#server/testing/second-factors.ts';
import { createPushConnections } from './connections.ts';
import { pushQueue } from './queue.ts';
import { type PushTestApp, pushSubscriptionsPath, startPushTestApp } from './testing.ts';

describe('promise 77: a push service that fails', () => {
  let testApp: PushTestApp;
  let seller: Person;
  let buyer: Person;
  beforeAll(async () => {
    testApp = await startPushTestApp();
  });
  beforeEach(async () => {
    testApp.service.respondWith(201);
    seller = await testApp.signIn();
    buyer = await testApp.signIn();
  });
  afterAll(() => testApp.close());
  /**
   * Subscribes a browser of the seller and sends the seller a message, so that a push notification becomes
   * due.
   */
  const prepare = async () => {
    const browser = await testApp.subscribe(seller);
    const { id } = await testApp.talk.begin(buyer, seller);
    await testApp.talk.send(buyer, id, 'Hello');
    return browser;
  };

  test.each([404, 410])('with status %i ends the subscription', async (status) => {
    await prepare();
    testApp.service.respondWith(status);
    await testApp.send();
    expect((await testApp.listDevices(seller)).items).toEqual([]);
  });

  test.each([429, 500, 503])('with status %i is retried', async (status) => {
    const browser = await prepare();
    testApp.service.respondWith(status);
    await expect(testApp.send()).rejects.toThrow(`The push service responded with ${status}`);
    expect(browser.requests()).toHaveLength(1);
    expect((await testApp.listDevices(seller)).items).toHaveLength(1);
  });

  test.each([400, 403, 413])('with status %i is not retried, and the subscription stays', async (status) => {
    const browser = await prepare();
    testApp.service.respondWith(status);
    await testApp.send();
    expect(browser.requests()).toHaveLength(1);
    expect((await testApp.listDevices(seller)).items).toMatchObject([{ last_used_at: null }]);
  });

  test('with a redirect is not followed', async () => {
    const browser = await prepare();
    const before = testApp.service.received.length;
    testApp.service.respondWith(302);
    await testApp.send();
    expect(browser.requests()).toHaveLength(1);
    expect(testApp.service.received).toHaveLength(before + 1);
  });

  test('that does not respond pauses all pushes to the browser', async () => {
    const browser = await prepare();
    testApp.service.respondWith('hang');
    await testApp.send();
    expect(browser.requests()).toHaveLength(1);
    const other = await testApp.signIn();
    const { id } = await testApp.talk.begin(other, seller);
    await testApp.talk.send(other, id, 'Is it still there?');
    testApp.service.respondWith(201);
    await testApp.send();
    expect(browser.requests()).toHaveLength(1);
    testApp.clock.advance(60);
    await testApp.jobs.runAll();
    expect(browser.requests()).toHaveLength(3);
  }, 30_000);

  test('a push that could not be sent for a day is dropped', async () => {
    const browser = await prepare();
    testApp.clock.advance(pushDelaySeconds);
    await testApp.queue();
    testApp.clock.advance(24 * 3600);
    await testApp.jobs.runAll();
    expect(browser.requests()).toEqual([]);
  });
});

describe('promise 77: a push service that hangs', () => {
  let testApp: TestApp;
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
    const pushConnections = createPushConnections({ ...trustedPushServices, requestTimeoutMs: 120_000 });
    testApp = await startTestApp({ replace: { jobs: forward, pushConnections } });
    jobs = await startJobQueue(testApp.databaseUrl, [pushQueue, notificationQueue, mailQueue], silentLog);
    late.jobs = jobs;
    for (const [name, given] of declared)
      if ((given[0] as { name?: string }).name === 'push' || given[0] === 'due-pushes')
        await (jobs[name] as (...args: unknown[]) => Promise<void>)(...given);
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });
  afterAll(async () => {
    await testApp.server.close();
    await jobs.stop();
    await testApp.close();
  });

  const startServices = async (...hostnames: (string | undefined)[]) => {
    const started = await Promise.all(hostnames.map((hostname) => startPushService(hostname)));
    services.push(...started);
    return started;
  };
  const subscribe = async (person: Person, service: (typeof services)[number]) => {
    const browser = service.subscribe();
    await sendRequest(testApp, person, 'POST', pushSubscriptionsPath, browser.form);
    return browser;
  };
  const countWaiting = () => services.reduce((sum, service) => sum + service.countWaiting(), 0);
  /** Expects that a push notification is delivered through a working push service while another service hangs. */
  const expectDelivery = async () => {
    const [working] = (await startServices('127.0.0.1')) as [(typeof services)[number]];
    const [seller, buyer] = [await testApp.signIn(), await testApp.signIn()];
    const browser = await subscribe(seller, working);
    const talk = createConversationClient(testApp);
    const { id } = await talk.begin(buyer, seller);
    await talk.send(buyer, id, 'Hello');
    testApp.clock.advance(pushDelaySeconds);
    await working.waitFor(1);
    expect(browser.pushes()).toMatchObject([{ text: 'Hello' }]);
  };

  test('does not delay people whose browsers use another service', async () => {
    const [hanging] = (await startServices(undefined)) as [(typeof services)[number]];
    hanging.respondWith('hang');
    const talk = createConversationClient(testApp);
    const buyer = await testApp.signIn();
    for (let index = 0; index < 12; index += 1) {
      const seller = await testApp.signIn();
      await subscribe(seller, hanging);
      const { id } = await talk.begin(buyer, seller);
      await talk.send(buyer, id, 'Hello');
    }
    testApp.clock.advance(pushDelaySeconds);
    await hanging.waitFor(1);
    await expectDelivery();
    expect(countWaiting()).toBeLessThanOrEqual(2);
  });

  test('on several ports of one host counts as one service', async () => {
    const hanging = await startServices(undefined, undefined, undefined);
    const talk = createConversationClient(testApp);
    const buyer = await testApp.signIn();
    for (const service of hanging) {
      service.respondWith('hang');
      const seller = await testApp.signIn();
      await subscribe(seller, service);
      const { id } = await talk.begin(buyer, seller);
      await talk.send(buyer, id, 'Hello');
    }
    testApp.clock.advance(pushDelaySeconds);
    await expectDelivery();
    expect(countWaiting()).toBeLessThanOrEqual(2);
  });

  test('on many hosts occupies only a few slots for the browsers of one account', async () => {
    const hanging = await startServices(...[2, 3, 4, 5, 6, 7].map((last) => `127.0.0.${last}`));
    const talk = createConversationClient(testApp);
    const [seller, buyer] = [await testApp.signIn(), await testApp.signIn()];
    for (const service of hanging) {
      service.respondWith('hang');
      await subscribe(await logInWithPassword(testApp, seller), service);
    }
    const { id } = await talk.begin(buyer, seller);
    await talk.send(buyer, id, 'Hello');
    testApp.clock.advance(pushDelaySeconds);
    await expectDelivery();
    expect(countWaiting()).toBeLessThanOrEqual(4);
  });
});
