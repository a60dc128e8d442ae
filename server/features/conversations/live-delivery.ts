import type { Message } from '#contract/conversations.ts';
import type { App } from '#server/app.ts';
import * as messages from './message-repository.ts';
import * as repository from './repository.ts';
import * as sharedActivity from './shared-activity-repository.ts';

/** How far a conversation has got: its newest message sequence number (seq), and how many messages were unsent. */
export type ConversationProgress = repository.ConversationProgressRow;

/**
 * For real-time delivery: returns how far a conversation has got if the person is one of its parties, or undefined
 * otherwise.
 */
export const findConversationProgress = (
  { sql }: App,
  party: messages.ConversationPartyIds,
): Promise<ConversationProgress | undefined> => repository.findConversationParties(sql, party);

/**
 * For real-time delivery: returns how far each of these conversations has got. Deleted conversations are missing from the
 * result.
 */
export const listConversationProgress = (
  { sql }: App,
  ids: readonly string[],
): Promise<(ConversationProgress & { id: string })[]> => repository.listProgress(sql, ids);

/** For real-time delivery, without an access check: lists messages that were unsent after the first `after` ones. */
export const listUnsentMessagesAfter = async (
  { sql }: App,
  id: string,
  after: number,
  limit: number,
): Promise<(Message & { unsent_number: number })[]> =>
  (await messages.listUnsentMessages(sql, { id, after, limit })).map((row) => ({
    ...messages.presentMessage(row),
    unsent_number: row.unsent_number,
  }));

/** For real-time delivery, without an access check: lists messages after a seq, oldest first. */
export const listMessagesAfter = async (
  { sql }: App,
  id: string,
  afterSeq: number,
  limit: number,
): Promise<Message[]> =>
  (await messages.listMessages(sql, id, { after_seq: afterSeq, limit })).map(messages.presentMessage);

/** For real-time delivery: lists the ids of the parties of a conversation. */
export const listConversationParties = ({ sql }: App, id: string): Promise<string[]> =>
  repository.listPartyIds(sql, id);

/**
 * For real-time delivery: returns a person's unread counts, in this conversation and in total, or undefined for a
 * person who is not a party of the conversation.
 */
export const findUnreadCounts = (
  { sql, clock }: App,
  party: messages.ConversationPartyIds,
): Promise<messages.UnreadCountsRow | undefined> =>
  messages.findUnreadCounts(sql, { ...party, now: clock.now() });

/**
 * For real-time delivery: returns up to which seq the other party has read, or undefined when the parties do not share
 * that.
 */
export const findSharedSeenSeq = (
  { sql }: App,
  party: messages.ConversationPartyIds,
): Promise<number | undefined> => sharedActivity.findSharedSeenSeq(sql, party);

/** For real-time delivery: returns whether the other party sees that this person is typing. */
export const isTypingShared = ({ sql }: App, party: messages.ConversationPartyIds): Promise<boolean> =>
  sharedActivity.isTypingShared(sql, party);
