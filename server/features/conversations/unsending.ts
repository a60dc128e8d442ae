import { type Message, unsendSeconds } from '#contract/conversations.ts';
import { createProblem } from '#contract/errors.ts';
import { type App, react } from '#server/app.ts';
import { queueFileRemoval } from '#server/features/photos/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { lockConversation } from './event-line-repository.ts';
import { type ConversationPartyIds, findTextMessage, presentMessage } from './message-repository.ts';
import { queueUnsentPush, saveUnsentMessage } from './unsend-repository.ts';

/**
 * How long the files of photos stay, in seconds, so that a report made just before can still copy them. While the store
 * fails, copying is retried for 17 minutes.
 */
const fileRemovalDelaySeconds = 60 * 60;

/**
 * Deletes the text and the photos of a message that the person sent in the last ten minutes, or earlier if `isAnyAge`, and
 * announces it. Returns the message as it is now. Throws message_not_found for a message that the person did not write, and
 * message_unsend_late. A message that was unsent before is announced again, because the announcement may have been lost.
 */
export const unsendMessage = async (
  app: App,
  {
    id,
    userId,
    messageId,
    isAnyAge = false,
  }: ConversationPartyIds & { messageId: string; isAnyAge?: boolean },
): Promise<Message> => {
  const message = await runInTransaction(app.sql, async (tx) => {
    // Messages are numbered, read and mailed under this lock.
    await lockConversation(tx, id);
    const found = await findTextMessage(tx, { id, messageId });
    if (found?.sender_id !== userId) throw createProblem('message_not_found');
    if (found.unsent_number) return found;
    const now = app.clock.now();
    if (!isAnyAge && found.created_at < addSeconds(now, -unsendSeconds))
      throw createProblem('message_unsend_late');
    if (found.photos) await react(app, tx, 'before_photos_unsent', { messageId });
    const { unsent, photoUrls } = await saveUnsentMessage(tx, found);
    if (photoUrls.length > 0)
      await queueFileRemoval(app, tx, photoUrls, { delaySeconds: fileRemovalDelaySeconds });
    await queueUnsentPush(tx, { id, userId, seq: found.seq, now });
    return unsent;
  });
  await app.bus.publish({ kind: 'unsent', conversation_id: id });
  return presentMessage(message);
};
