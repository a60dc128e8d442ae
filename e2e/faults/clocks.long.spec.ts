import { expect } from '@playwright/test';
import type { MessageList } from '#contract/conversations.ts';
import { createTestConversations, type TestConversation } from '../chaos/test-conversations.ts';
import { startPostgres } from '../support/postgres.ts';
import { startQuad } from '../support/quad-server.ts';
import { callApi, postConversationMessage } from '../support/students.ts';
import { test } from '../support/test.ts';

/**
 * The clocks differ by less than the lifetime of a code, so that a code works no matter which host sends the
 * email with it.
 */
const shiftMs = 300_000;

test('a host with a wrong clock logs a one-line warning at startup, and messages stay in sending order', async () => {
  const database = await startPostgres();
  const right = await startQuad({ QUAD_DATABASE_URL: database.url });
  const shifted = await startQuad({
    ...{ QUAD_DATABASE_URL: database.url, QUAD_PUBLIC_URL: right.url, QUAD_DATA_DIR: right.dataDir },
    QUAD_SMTP_URL: right.mail.url,
    NODE_OPTIONS: `--import ${new URL('../support/shifted-clock.ts', import.meta.url).href}`,
    CLOCK_SHIFT_MS: String(shiftMs),
  });
  try {
    const lines = (output: string) =>
      output.split('\n').filter((line) => line.includes('the clock of this machine'));
    expect(lines(right.output())).toEqual([]);
    expect(lines(shifted.output())).toEqual([
      expect.stringMatching(
        /the clock of this machine is (299|300|301)\.\d s ahead of that of the database; synchronize the clocks of all machines/,
      ),
    ]);

    const [{ conversationId, parties }] = (await createTestConversations(right, 1)) as [TestConversation];
    const texts = Array.from({ length: 10 }, (_, index) => `Message ${index + 1}`);
    for (const [index, text] of texts.entries())
      await postConversationMessage(
        index % 2 ? shifted : right,
        parties[index % 2 ? 0 : 1],
        { id: conversationId },
        text,
      );
    for (const host of [right, shifted]) {
      const { items } = await callApi<MessageList>(
        host,
        `/rest/v1/conversations/${conversationId}/messages?after_seq=0`,
        { token: parties[0].token },
      );
      expect(items.map(({ message_text }) => message_text)).toEqual(texts);
      expect(items.map(({ seq }) => seq)).toEqual(texts.map((_, index) => index + 1));
    }
  } finally {
    await shifted.stop();
    await right.stop();
    await database.close();
  }
});
