import { expect, test } from '@playwright/test';
import { runChaos } from '../chaos/chaos.ts';
import { startQuad } from '../support/quad.ts';

test('promise 31: no acknowledged message is lost, duplicated or out of order when the server or PostgreSQL is killed', async () => {
  const quad = await startQuad();
  try {
    const verdict = await runChaos(quad, {
      conversations: 4,
      messagesEach: 250,
      serverKills: 3,
      databaseKills: 2,
      say: () => {},
    });
    expect(verdict.messages).toBe(2_000);
    expect(verdict.slowestReturn).toBeLessThan(10_000);
  } finally {
    await quad.stop();
  }
});
