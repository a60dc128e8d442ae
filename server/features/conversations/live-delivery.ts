import type { Message } from '#contract/conversations.ts';
import type { App } from '#server/app.ts';
import * as messages from './message-repository.ts';
import * as repository from './repository.ts';

/**
 * For real-time delivery: returns the newest message sequence number (seq) of a conversation if the person is one
 * of its parties, or undefined otherwise.
 */
export const findLastMessageSeq = async (
  { sql }: App,
  party: messages.ConversationPartyIds,
): Promise<number | undefined> => (await repository.findConversationParties(sql, party))?.last_seq;

/**
 * For real-time delivery: returns the newest message sequence number (seq) of each of these
 * conversations, by conversation id. Deleted conversations are missing from the result.
 */
export const listLastMessageSeqs = async (
  { sql }: App,
  ids: readonly string[],
): Promise<Map<string, number>> =>
  new Map((await repository.listLastMessageSeqs(sql, ids)).map((row) => [row.id, row.last_seq]));

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
  { sql }: App,
  party: messages.ConversationPartyIds,
): Promise<messages.UnreadCountsRow | undefined> => messages.findUnreadCounts(sql, party);
