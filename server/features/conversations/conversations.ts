import { toCampusDay } from '#contract/campus.ts';
import type { Conversation, Inbox } from '#contract/conversations.ts';
import { createProblem } from '#contract/errors.ts';
import type { ConversationChange, InboxQuery } from '#contract/inbox.ts';
import { foldText } from '#contract/search-text.ts';
import { normalizeLine } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { decodeListCursor, encodeListCursor } from '#server/platform/list-position.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { queueFirstMessageEmail } from './first-messages.ts';
import { findConversation, listInbox } from './inbox-repository.ts';
import type { ConversationPartyIds } from './message-repository.ts';
import { findOrCreateConversation } from './opening.ts';
import { findConversationOpeningError } from './policy.ts';
import * as repository from './repository.ts';
import { updateSide } from './side-repository.ts';

/** Returns the text that a search of the inbox looks for, as it is compared, or undefined when there is none. */
const toSearchedText = (q: string | undefined): string | undefined => {
  const text = normalizeLine(q ?? '');
  return text ? foldText(text) || text.toLowerCase() : undefined;
};

/** Returns a page of a person's conversations, most recently active first. */
export const listConversations = async (
  { sql, search, clock, config: { campus } }: App,
  userId: string,
  { tab, q, archived, cursor }: InboxQuery,
): Promise<Inbox> => {
  const position = decodeListCursor(cursor);
  const now = clock.now();
  const reader = { userId, campus, now, today: toCampusDay(campus, now) };
  const searched = toSearchedText(q);
  const isArchived = archived === undefined && searched !== undefined ? undefined : archived === 'true';
  const filter = { tab, isArchived, searched };
  // The plan for a search must know its text, so that PostgreSQL computes the pattern of its variants once.
  const { conversations, end } = await (searched === undefined
    ? listInbox(sql, reader, filter, position)
    : search((tx) => listInbox(tx, reader, filter, position)));
  return { items: conversations, next_cursor: end ? encodeListCursor(end) : null };
};

/** Returns a conversation as one of its parties sees it. Throws an error, conversation_not_found by default, for anybody else. */
export const getConversation = async (
  { sql, clock, config: { campus } }: App,
  party: ConversationPartyIds,
  notFound: 'conversation_not_found' | 'listing_not_found' = 'conversation_not_found',
): Promise<Conversation> => {
  const now = clock.now();
  const conversation = await findConversation(sql, {
    ...party,
    campus,
    now,
    today: toCampusDay(campus, now),
  });
  if (!conversation) throw createProblem(notFound);
  return conversation;
};

/** Archives, mutes or marks a conversation as unread for one of its parties, and tells the party's other devices. */
export const changeConversation = async (
  app: App,
  party: ConversationPartyIds,
  change: ConversationChange,
): Promise<Conversation> => {
  const { sql, clock, bus } = app;
  if (await updateSide(sql, { ...party, change, now: clock.now() }))
    await bus.publish({
      kind: 'read',
      conversation_id: party.id,
      user_id: party.userId,
      seen: change.unread === false,
    });
  return getConversation(app, party);
};

/** Finds or creates the caller's conversation about a published listing. */
export const openConversation = async (
  app: App,
  userId: string,
  listingId: string,
): Promise<Conversation> => {
  const id = await findOrCreateConversation(app, app.sql, {
    listingId,
    buyerId: userId,
    now: app.clock.now(),
  });
  // An account that was deleted meanwhile took the listing with it.
  return getConversation(app, { id, userId }, 'listing_not_found');
};

/** Returns the caller's conversation about a listing, or null when they may start one. Writes nothing. */
export const findConversationAbout = async (
  app: App,
  userId: string,
  listingId: string,
): Promise<Conversation | null> => {
  const pair = { listingId, buyerId: userId, today: toCampusDay(app.config.campus, app.clock.now()) };
  const id = await repository.findConversationId(app.sql, pair);
  if (id !== undefined) return getConversation(app, { id, userId }, 'listing_not_found');
  const refusal = findConversationOpeningError(await repository.findPublishedListing(app.sql, pair), userId);
  if (refusal) throw createProblem(refusal);
  return null;
};

/** Queues the email to the seller about the first message, if it is due and not queued yet. */
export const notifySellerOfFirstMessage = async (app: App, party: ConversationPartyIds): Promise<void> => {
  const { sql, clock } = app;
  if (!(await repository.findConversationParties(sql, party))) throw createProblem('conversation_not_found');
  if (!(await repository.mayPartiesWrite(sql, party.id))) throw createProblem('contact_refused');
  await runInTransaction(sql, (tx) => queueFirstMessageEmail(app, tx, party.id, clock.now()));
};
