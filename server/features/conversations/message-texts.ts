import type { App } from '#server/app.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import {
  foldMessages,
  listUnfoldedConversations,
  lockFreeConversations,
} from './message-texts-repository.ts';

/** Number of conversations whose messages are folded, and which are locked meanwhile, in one transaction. */
const conversationsPerBatch = 100;

/**
 * Stores the folded texts of all messages since the last run, in which searches look first. The next run handles
 * conversations that are locked now.
 */
export const foldNewMessages = async ({ sql }: App): Promise<void> => {
  let afterId = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const ids = await listUnfoldedConversations(sql, { afterId, limit: conversationsPerBatch });
    const lastId = ids.at(-1);
    if (lastId === undefined) return;
    // A message that is changed meanwhile must not be read before the lock, so these are two statements.
    await runInTransaction(sql, async (tx) => foldMessages(tx, await lockFreeConversations(tx, ids)));
    afterId = lastId;
  }
};
