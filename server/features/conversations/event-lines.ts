import { randomUUID } from 'node:crypto';
import type { Message } from '#contract/conversations.ts';
import type { EventLine } from '#contract/deal-event-lines.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { isUniqueViolation, type Queryable } from '#server/platform/postgres/database.ts';
import { appendMessage, findActorMessageByClientId, lockConversation } from './event-line-repository.ts';
import { assertMayStartConversation, queueFirstMessageEmail } from './first-messages.ts';
import { presentMessage } from './message-repository.ts';
import { findOrCreateConversation } from './opening.ts';
import { findConversationId, listLatestBuyers, listLatestConversationsWith } from './repository.ts';

/** A transition of a deal that is recorded in the conversation of the two parties. */
export interface NewEventLine {
  conversationId: string;
  /** The party that acted, or null for an event line of the server. */
  actorId: string | null;
  /**
   * Whether the server acted on behalf of the party, so that the conversation does not count as read by
   * them.
   */
  isAutomatic: boolean;
  /** A party that did not act, but for whom the event line neither counts as unread nor causes an email. */
  silentFor: string | null;
  /**
   * Idempotency key: chosen by the party, or, for an event line of the server, a UUID derived from
   * the deal and the number of the transition.
   */
  clientId: string;
  /** Text of the event line, worded so that it fits both parties. */
  text: string;
  data: EventLine;
  /** A message from the actor that is stored together with it. */
  messageText?: string | undefined;
  now: Date;
}

/** A conversation that changed without a new message, and the party to notify. */
export interface ConversationChange {
  conversation_id: string;
  user_id: string;
}

const createClientIdProblem = () => createFieldProblem({ client_id: 'This id belongs to a message' });

/**
 * Finds or creates the buyer's conversation about a published listing, locks it and returns its id, for an offer
 * that the same transaction stores. Throws listing_not_found when the listing is not published, own_listing when
 * it belongs to the buyer, contact_refused when the two people may not contact each other, and rate_limited when
 * the offer would exceed the limit on new conversations.
 */
export const openForOffer = async (
  app: App,
  tx: Queryable,
  {
    listingId,
    buyerId,
    text,
    now,
  }: { listingId: string; buyerId: string; text?: string | undefined; now: Date },
): Promise<string> => {
  const id = await findOrCreateConversation(app, tx, { listingId, buyerId, now });
  // Lock the conversation before the buyer, in the same order as account deletion. A buyer
  // whose account was deleted in the meantime is no longer a party of the conversation.
  const conversation = await lockConversation(tx, id);
  if (conversation?.buyer_id !== buyerId) throw createProblem('listing_not_found');
  await assertMayStartConversation(app, tx, { id, userId: buyerId, text }, now);
  return id;
};

/**
 * Stores an event line, which is unread for everybody except its actor; the actor's earlier unread messages stay
 * unread. Returns the stored line if this client id was stored before. Call `announceEventLine` after the commit.
 * Throws conversation_not_found when the conversation does not exist.
 */
export const appendEventLine = async (app: App, tx: Queryable, line: NewEventLine): Promise<Message> => {
  const conversation = await lockConversation(tx, line.conversationId);
  if (!conversation) throw createProblem('conversation_not_found');
  const stored = await findActorMessageByClientId(tx, line);
  if (stored?.kind === 'text') throw createClientIdProblem();
  if (stored) return presentMessage(stored);

  const { messageText, ...event } = line;
  const isFirst = conversation.last_seq === 0 && line.actorId === conversation.buyer_id;
  // If these are the first messages of the conversation, send no email about unread messages: the email to the
  // seller about the first message quotes both the event line and the text.
  const common = { ...event, isMailed: !isFirst };
  const added = await appendMessage(tx, { ...common, kind: line.actorId === null ? 'system' : 'deal' });
  if (!added) throw createProblem('conversation_not_found');
  if (messageText !== undefined)
    await appendMessage(tx, {
      ...common,
      clientId: randomUUID(),
      kind: 'text',
      text: messageText,
      data: null,
    });
  if (isFirst) await queueFirstMessageEmail(app, tx, line.conversationId, line.now);
  return presentMessage(added);
};

/**
 * Stores an event line in a conversation that contains messages, with a single statement. Throws a field error
 * when the client id was used before. Call `findEventLine` after the transaction to get the event line that used
 * it.
 */
export const appendLaterEventLine = async (
  tx: Queryable,
  line: Omit<NewEventLine, 'messageText'>,
): Promise<Pick<Message, 'conversation_id' | 'seq'>> => {
  const kind = line.actorId === null ? 'system' : 'deal';
  try {
    const added = await appendMessage(tx, { ...line, kind, isMailed: true });
    if (!added) throw createProblem('conversation_not_found');
    return added;
  } catch (error) {
    if (isUniqueViolation(error, 'messages_once')) throw createClientIdProblem();
    throw error;
  }
};

/**
 * Returns the event line that a party stored under a client id, or undefined when there is none. Throws when the
 * id belongs to a message of the party.
 */
export const findEventLine = async (
  tx: Queryable,
  line: Pick<NewEventLine, 'conversationId' | 'actorId' | 'clientId'>,
): Promise<Message | undefined> => {
  const row = await findActorMessageByClientId(tx, line);
  if (row?.kind === 'text') throw createClientIdProblem();
  return row && presentMessage(row);
};

/** How many conversations of a person are told about a change; others show it when they are opened. */
const maxAnnouncedConversations = 100;

/** Announces a stored event line, and the message stored with it, to connected clients. */
export const announceEventLine = (
  app: App,
  { conversation_id, seq }: Pick<Message, 'conversation_id' | 'seq'>,
): Promise<void> => app.bus.publish({ kind: 'message', conversation_id, seq });

/** Notifies a connected party that a conversation has changed in a way other than a new message. */
export const announceConversationChange = (app: App, change: ConversationChange): Promise<void> =>
  app.bus.publish({ kind: 'read', ...change });

/**
 * Notifies the buyer's clients that something other than the messages has changed in the conversation about a
 * listing.
 */
export const announceChangeAbout = async (app: App, listingId: string, buyerId: string): Promise<void> => {
  const id = await findConversationId(app.sql, { listingId, buyerId });
  if (id !== undefined) await announceConversationChange(app, { conversation_id: id, user_id: buyerId });
};

/** Notifies the buyers of a seller's latest conversations that something has changed that all of them show. */
export const announceChangeBySeller = async (app: App, sellerId: string): Promise<void> => {
  for (const change of await listLatestBuyers(app.sql, sellerId, maxAnnouncedConversations))
    await announceConversationChange(app, change);
};

/** Notifies a person's clients that their conversations with another person have changed, for example by a block. */
export const announceChangeWith = async (app: App, userId: string, otherId: string): Promise<void> => {
  const limit = maxAnnouncedConversations;
  for (const id of await listLatestConversationsWith(app.sql, { userId, otherId, limit }))
    await announceConversationChange(app, { conversation_id: id, user_id: userId });
};
