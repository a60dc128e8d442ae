import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deal } from '#contract/deals.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
let seller: Person;
let buyers: Person[];
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
  seller = await testApp.signIn();
  buyers = [await testApp.signIn(), await testApp.signIn()];
});
afterAll(() => testApp.close());

test('a deal whose transition fails does not block other deals, and the next run retries it', async () => {
  const listingId = await client.list(seller);
  const [broken, other] = (await Promise.all(
    buyers.map(async (buyer) => (await client.start(buyer, listingId)).body),
  )) as [Deal, Deal];
  await testApp.sql.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON deals FOR EACH ROW WHEN (OLD.id = '${broken.id}') EXECUTE FUNCTION refuse()`);
  testApp.clock.advance(49 * 3600);
  await expect(testApp.jobs.repeatNow('apply-deal-deadlines')).rejects.toThrow('refused');
  expect((await client.get(seller, broken)).state).toBe('offered');
  expect((await client.get(seller, other)).state).toBe('expired');
  await testApp.sql`DROP TRIGGER refuse ON deals`;
  await testApp.jobs.repeatNow('apply-deal-deadlines');
  expect((await client.get(seller, broken)).state).toBe('expired');
});
