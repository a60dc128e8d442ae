import type { Message, MessageList, MessageQuery } from '#contract/conversations.ts';
import { createProblem } from '#contract/errors.ts';
import type { MessagePhotoWidth } from '#contract/photos.ts';
import type { App } from '#server/app.ts';
import { openMessagePhoto } from '#server/features/photos/public.ts';
import type { StoredFile } from '#server/platform/files/files.ts';
import { isUniqueViolation, runInTransaction } from '#server/platform/postgres/database.ts';
import { assertMayStartConversation, queueFirstMessageEmail } from './first-messages.ts';
import type { ConversationPartyIds, MessageRow, NewMessage } from './message-repository.ts';
import * as messages from './message-repository.ts';
import { addPhotos, findPhotoPath } from './photo-repository.ts';
import { toSendMessageError } from './policy.ts';
import * as repository from './repository.ts';

/** Lists messages for a party, oldest first. */
export const listMessages = async (
  { sql }: App,
  party: ConversationPartyIds,
  query: MessageQuery,
): Promise<MessageList> => {
  // The messages are read concurrently with the access check; if the check fails, they are discarded.
  const [parties, rows] = await Promise.all([
    repository.findConversationParties(sql, party),
    messages.listMessages(sql, party.id, { ...query, limit: query.limit + 1 }),
  ]);
  if (!parties) throw createProblem('conversation_not_found');
  const more = rows.length > query.limit;
  // One row more than `limit` was read, to detect whether there are more messages. Drop the row
  // that is farthest from where the page starts: the newest row when reading forward from a
  // sequence number, otherwise the oldest row.
  if (more && query.after_seq === undefined) rows.shift();
  else if (more) rows.pop();
  const { after_unsent: afterUnsent } = query;
  const isBehind = afterUnsent !== undefined && afterUnsent < parties.unsent_count;
  const unsent = isBehind
    ? await messages.listUnsentMessages(sql, { id: party.id, after: afterUnsent, limit: query.limit })
    : [];
  return {
    items: rows.map(messages.presentMessage),
    more: more || unsent.length === query.limit,
    // Of the same moment as the messages: with a later one, the client would miss what was unsent in between.
    unsent_count: rows[0]?.unsent_count ?? parties.unsent_count,
    ...(afterUnsent === undefined ? {} : { unsent: unsent.map(messages.presentMessage) }),
  };
};

/** Stores a message with its photos, or the first message of a conversation: all of it or nothing. */
const storeInTransaction = (
  app: App,
  message: NewMessage,
  { first }: { first: boolean },
): Promise<MessageRow | undefined> =>
  runInTransaction(app.sql, async (tx) => {
    const now = app.clock.now();
    if (first) await assertMayStartConversation(app, tx, message, now);
    const stored = (await messages.insertMessages(tx, [message], { now, first })).get(message.id);
    if (stored && first) await queueFirstMessageEmail(app, tx, message.id, now);
    if (!stored || !message.photos?.length) return stored;
    const photos = await addPhotos(tx, stored, message.photos);
    if (!photos) throw createProblem('message_photo_gone');
    await message.onStored?.(tx, stored);
    return { ...stored, photos };
  });

const storeLater = (app: App, message: NewMessage): Promise<MessageRow | undefined> =>
  message.photos?.length
    ? storeInTransaction(app, message, { first: false })
    : app.messageBatcher.store(message);

// Most messages are not the first one of their conversation, so this is tried first; without photos, it needs no
// transaction. Try once more if the message could be stored neither as a later message of the conversation nor as its
// first one: between the two attempts, a concurrent call may have stored the first message.
const storeMessage = async (app: App, message: NewMessage): Promise<MessageRow | undefined> =>
  (await storeLater(app, message)) ??
  (await storeInTransaction(app, message, { first: true })) ??
  storeLater(app, message);

/** Stores a message, or returns the one already stored under the same client id. */
export const sendMessage = async (app: App, message: NewMessage): Promise<Message> => {
  let stored: MessageRow | undefined;
  try {
    stored = await storeMessage(app, message);
  } catch (error) {
    if (!isUniqueViolation(error, 'messages_once')) throw error;
  }
  if (stored) {
    await app.bus.publish({ kind: 'message', conversation_id: message.id, seq: stored.seq });
    return messages.presentMessage(stored);
  }
  const existing = await messages.findMessageByClientId(app.sql, message);
  if (existing) return messages.presentMessage(existing);
  const parties = await repository.findConversationParties(app.sql, message);
  if (parties && message.replyTo !== undefined) {
    const repliedTo = await messages.findTextMessage(app.sql, { id: message.id, messageId: message.replyTo });
    if (!repliedTo) throw createProblem('message_not_found');
  }
  throw createProblem(toSendMessageError(parties));
};

/** Opens a photo of a conversation. Returns undefined when there is none, or when the person is not one of its parties. */
export const findPhoto = async (
  app: App,
  photo: ConversationPartyIds & { photoId: string; width: MessagePhotoWidth | undefined },
): Promise<StoredFile | undefined> => {
  const path = await findPhotoPath(app.sql, photo);
  return path === undefined ? undefined : openMessagePhoto(app, path, photo.width);
};

/** Records that a party has read all messages up to a seq. Returns the remaining unread counts. */
export const markMessagesRead = async (
  { sql, clock, bus }: App,
  mark: ConversationPartyIds & { seq: number },
) => {
  const now = clock.now();
  const marked = await messages.markRead(sql, { ...mark, now });
  const unread = await messages.findUnreadCounts(sql, { ...mark, now });
  if (!unread) throw createProblem('conversation_not_found');
  if (marked)
    await bus.publish({ kind: 'read', conversation_id: mark.id, user_id: mark.userId, seen: marked.seen });
  return { conversation_id: mark.id, ...unread };
};

/** Returns the number of messages that a person has not read, in all conversations that are neither muted nor archived. */
export const countUnreadMessages = ({ sql, clock }: App, userId: string): Promise<number> =>
  messages.countUnread(sql, { userId, now: clock.now() });
