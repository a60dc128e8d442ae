import { expect } from '@playwright/test';
import { type ChaosResult, runChaos } from '../chaos/chaos.ts';
import { transitionsPerDeal } from '../chaos/deals.ts';
import { startQuad } from '../support/quad-server.ts';
import { test } from '../support/test.ts';

const conversations = 4;
const serverKills = 3;
let verdict: ChaosResult;
// runChaos throws unless every acknowledged message and transition was stored exactly once and in order, and
// every reader received all of them exactly once and in order.
test.beforeAll(async () => {
  // The timeout is long: if a kill interrupts the job that applies deadlines, the job may run again only 90 s
  // later.
  test.setTimeout(240_000);
  const quad = await startQuad();
  try {
    verdict = await runChaos(quad, {
      conversations,
      messagesEach: 250,
      serverKills,
      databaseKills: 2,
      say: () => {},
    });
  } finally {
    await quad.stop();
  }
});

test('promise 31: no acknowledged message is lost, duplicated or out of order when the server or PostgreSQL is killed', () => {
  expect(verdict.messages).toBe(2_000);
  expect(verdict.slowestReturn).toBeLessThan(10_000);
});

test('promise 98: photos and messages arrive together although the server and PostgreSQL are killed, and everybody learns what was unsent', () => {
  const { photos, replies, unsent } = verdict;
  expect({ photos, replies, unsent }).toEqual({ photos: 52, replies: 200, unsent: 152 });
});

test('promise 72: no acknowledged transition is lost, duplicated or out of order, and deadlines that pass meanwhile take effect once', () => {
  // Each conversation must have completed at least one deal.
  expect(verdict.transitions).toBeGreaterThanOrEqual(conversations * transitionsPerDeal);
  expect(verdict.deadlines).toBe(serverKills * conversations);
});
