import ICAL from 'ical.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { countRowsRead, explainSentStatements } from '#server/testing/query-plans.ts';
import { listComingHandovers } from './handover-repository.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  [seller, buyer] = [await testApp.signIn(), await testApp.signIn()];
});

const hold = async (title: string): Promise<Deal> => {
  const listingId = await client.list(seller, { title });
  const { body } = await client.start(buyer, listingId);
  return (await client.take(seller, body, 'accept')).body;
};
const agree = async (deal: Deal, time: string): Promise<void> => {
  await client.take(buyer, deal, 'propose_handover', { place: 'Doheny', times: [time] });
  expect((await client.take(seller, deal, 'agree_handover', { time })).status).toBe(200);
};
const listTitles = async (person: Person): Promise<string[]> => {
  const { status, body } = await client.request(person, 'GET', '/rest/v1/me/handovers');
  expect(status).toBe(200);
  return body.items.map(({ title }: Deal) => title);
};
const download = async (person: Person) => {
  const { statusCode, headers, body } = await testApp.server.inject({
    url: '/rest/v1/me/handovers/calendar',
    headers: person.headers,
  });
  return { statusCode, headers, body };
};

test('both parties see their agreed handovers in order, until three hours after the time', async () => {
  const kettle = await hold('A kettle of steel');
  const lamp = await hold('A lamp for reading');
  await hold('A desk without a time');
  await agree(lamp, '2026-03-04T20:00:00.000Z');
  await agree(kettle, '2026-03-03T20:00:00.000Z');
  const stranger = await testApp.signIn();
  for (const party of [buyer, seller])
    expect(await listTitles(party)).toEqual(['A kettle of steel', 'A lamp for reading']);
  expect(await listTitles(stranger)).toEqual([]);

  // Another suggestion does not change the agreed time; another agreement does.
  await client.take(buyer, kettle, 'propose_handover', {
    place: 'Plaza',
    times: ['2026-03-05T20:00:00.000Z'],
  });
  expect(await listTitles(buyer)).toEqual(['A kettle of steel', 'A lamp for reading']);
  await client.take(seller, kettle, 'agree_handover', { time: '2026-03-05T20:00:00.000Z' });
  expect(await listTitles(buyer)).toEqual(['A lamp for reading', 'A kettle of steel']);

  testApp.clock.set(new Date('2026-03-04T22:59:00.000Z'));
  expect(await listTitles(seller)).toEqual(['A lamp for reading', 'A kettle of steel']);
  testApp.clock.set(new Date('2026-03-04T23:00:00.000Z'));
  expect(await listTitles(seller)).toEqual(['A kettle of steel']);
  await client.take(buyer, kettle, 'cancel', { reason: 'Bought another one' });
  expect(await listTitles(seller)).toEqual([]);
});

test('one calendar file contains all coming handovers, with the UIDs of their own files', async () => {
  expect((await download(buyer)).statusCode).toBe(409);
  const [chair, rug] = [await hold('A chair with arms'), await hold('A rug from home')];
  await agree(rug, '2026-03-05T20:00:00.000Z');
  await agree(chair, '2026-03-04T20:00:00.000Z');
  const { statusCode, headers, body } = await download(buyer);
  expect(statusCode).toBe(200);
  expect(headers['content-disposition']).toContain('handovers.ics');
  const events = new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent');
  expect(events.map((event) => event.getFirstPropertyValue('summary'))).toEqual([
    'Handover: A chair with arms',
    'Handover: A rug from home',
  ]);
  const [first] = events;
  expect(first?.getFirstPropertyValue('uid')).toMatch(new RegExp(`^deal-${chair.id}@`));
});

test('the coming handovers are found without reading a person’s other deals', async () => {
  const past = new Date('2026-01-01T00:00:00.000Z');
  const deal = await hold('A shelf with a time');
  await agree(deal, '2026-03-05T20:00:00.000Z');
  await testApp.sql`
    INSERT INTO deals (conversation_id, buyer_id, seller_id, kind, state, title, price, place, handover_at, created_at,
      changed_at)
    SELECT ${deal.conversation_id}, ${buyer.userId}, ${seller.userId}, 'sale', 'completed', 'Old', 10, 'Plaza', ${past},
      ${past}, ${past}
    FROM generate_series(1, 2000)`;
  await testApp.sql`ANALYZE deals`;
  const plans = await explainSentStatements(testApp.databaseUrl, (sql) =>
    listComingHandovers(sql, { userId: buyer.userId, after: testApp.clock.now(), limit: 50 }),
  );
  expect(countRowsRead(plans)).toBeLessThan(100);
});
