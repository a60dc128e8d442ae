import type { Conversation, Inbox, Message, MessageList, MessageQuery } from '#contract/conversations.ts';
import { createProblem } from '#contract/errors.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import { buildJsonObject, type JsonText, toJson } from '#server/platform/json/json-text.ts';
import { decodeListCursor, encodeListCursor } from '#server/platform/list-position.ts';
import {
  isUniqueViolation,
  retryAfterDeadlocks,
  runInTransaction,
  type Sql,
} from '#server/platform/postgres/database.ts';
import { createFirstMessageRules, type PersonSignalRecorder } from './first-messages.ts';
import { findConversation, listInbox } from './inbox-repository.ts';
import { createMessageBatcher } from './message-batcher.ts';
import * as messages from './message-repository.ts';
import { findOrCreateConversation } from './opening.ts';
import { findConversationOpeningError, toSendMessageError } from './policy.ts';
import * as repository from './repository.ts';

export interface ConversationsDeps {
  sql: Sql;
  clock: Clock;
  bus: Pick<Bus, 'publish'>;
  mailer: Pick<Mailer, 'sendFirstMessage'>;
  /** Whether the limit on new conversations is enforced (default: true). */
  limited?: boolean;
  openSignal?: PersonSignalRecorder | undefined;
}

interface ConversationPartyIds {
  id: string;
  userId: string;
}

/**
 * Creates the service for conversations between two people about a listing. It announces changes on the bus after they
 * are committed.
 */
export const createConversationService = ({
  sql,
  clock,
  bus,
  mailer,
  limited = true,
  openSignal,
}: ConversationsDeps) => {
  const getConversation = async (party: ConversationPartyIds): Promise<JsonText<Conversation>> => {
    const conversation = await findConversation(sql, { ...party, now: clock.now() });
    if (!conversation) throw createProblem('conversation_not_found');
    return conversation;
  };

  const firstMessages = createFirstMessageRules({ mailer, limited, openSignal });

  // Stores a message that is not the first one of its conversation. Most messages are stored this way, which needs no
  // transaction.
  const storeFollowing = createMessageBatcher((batch) =>
    retryAfterDeadlocks(() => messages.insertMessages(sql, batch, { now: clock.now(), first: false })),
  );

  const storeFirst = (message: messages.NewMessage): Promise<messages.MessageRow | undefined> =>
    runInTransaction(sql, async (tx) => {
      const now = clock.now();
      await firstMessages.assertMayStart(tx, message, now);
      const stored = await messages.insertMessages(tx, [message], { now, first: true });
      if (stored.size > 0) await firstMessages.queueSellerNotice(tx, message.id, now);
      return stored.get(message.id);
    });

  // Try once more if the message could be stored neither as a later message of the conversation nor as its first one:
  // between the two attempts, a concurrent call may have stored the first message.
  const storeMessage = async (message: messages.NewMessage): Promise<messages.MessageRow | undefined> =>
    (await storeFollowing(message)) ?? (await storeFirst(message)) ?? storeFollowing(message);

  return {
    /** Returns a page of a person's conversations, most recently active first. */
    list: async (userId: string, cursor: string | undefined): Promise<JsonText<Inbox>> => {
      const position = decodeListCursor(cursor);
      const { conversations, end } = await listInbox(sql, { userId, now: clock.now() }, position);
      return buildJsonObject({
        items: conversations,
        next_cursor: toJson(end ? encodeListCursor(end) : null),
      });
    },

    /** Finds or creates the caller's conversation about a published listing. */
    open: async (userId: string, listingId: string): Promise<JsonText<Conversation>> => {
      const id = await findOrCreateConversation(sql, { listingId, buyerId: userId, now: clock.now() });
      return getConversation({ id, userId });
    },

    /** Returns the caller's conversation about a listing, or null when they may start one. Writes nothing. */
    findAbout: async (userId: string, listingId: string): Promise<JsonText<Conversation | null>> => {
      const id = await repository.findConversationId(sql, { listingId, buyerId: userId });
      if (id !== undefined) return getConversation({ id, userId });
      const refusal = findConversationOpeningError(
        await repository.findPublishedListing(sql, { listingId, buyerId: userId }),
        userId,
      );
      if (refusal) throw createProblem(refusal);
      return toJson(null);
    },

    get: getConversation,

    /** Lists messages for a party, oldest first. */
    listMessages: async (party: ConversationPartyIds, query: MessageQuery): Promise<MessageList> => {
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
      return { items: rows.map(messages.presentMessage), more };
    },

    /** Stores a message, or returns the one already stored under the same client id. */
    send: async (message: messages.NewMessage): Promise<Message> => {
      let stored: messages.MessageRow | undefined;
      try {
        stored = await storeMessage(message);
      } catch (error) {
        if (!isUniqueViolation(error, 'messages_once')) throw error;
      }
      if (stored) {
        await bus.publish({ kind: 'message', conversation_id: message.id, seq: stored.seq });
        return messages.presentMessage(stored);
      }
      const existing = await messages.findMessageByClientId(sql, message);
      if (existing) return messages.presentMessage(existing);
      throw createProblem(toSendMessageError(await repository.findConversationParties(sql, message)));
    },

    /** Records that a party has read all messages up to a seq. Returns the remaining unread counts. */
    markRead: async (mark: ConversationPartyIds & { seq: number }) => {
      const moved = await messages.markRead(sql, { ...mark, now: clock.now() });
      const unread = await messages.findUnreadCounts(sql, mark);
      if (!unread) throw createProblem('conversation_not_found');
      if (moved) await bus.publish({ kind: 'read', conversation_id: mark.id, user_id: mark.userId });
      return { conversation_id: mark.id, ...unread };
    },

    /**
     * Notifies the buyer's clients that something other than the messages has changed in the conversation about a
     * listing.
     */
    announceChangeAbout: async (listingId: string, buyerId: string): Promise<void> => {
      const id = await repository.findConversationId(sql, { listingId, buyerId });
      if (id !== undefined) await bus.publish({ kind: 'read', conversation_id: id, user_id: buyerId });
    },

    /** Queues the email to the seller about the first message, if it is due and not queued yet. */
    notifySeller: async (party: ConversationPartyIds): Promise<void> => {
      if (!(await repository.findConversationParties(sql, party)))
        throw createProblem('conversation_not_found');
      if (!(await repository.mayPartiesWrite(sql, party.id))) throw createProblem('contact_refused');
      await sql.begin((tx) => firstMessages.queueSellerNotice(tx, party.id, clock.now()));
    },

    /**
     * For real-time delivery: returns the newest message sequence number (seq) of a conversation if the person is one
     * of its parties, or undefined otherwise.
     */
    findLastSeq: async (party: ConversationPartyIds): Promise<number | undefined> =>
      (await repository.findConversationParties(sql, party))?.last_seq,

    /**
     * For real-time delivery: returns the newest message sequence number (seq) of each of these
     * conversations, by conversation id. Deleted conversations are missing from the result.
     */
    listLastSeqs: async (ids: readonly string[]) =>
      new Map((await repository.listLastMessageSeqs(sql, ids)).map((row) => [row.id, row.last_seq])),

    /** For real-time delivery, without an access check: lists messages after a seq, oldest first. */
    listAfter: async (id: string, afterSeq: number, limit: number): Promise<Message[]> =>
      (await messages.listMessages(sql, id, { after_seq: afterSeq, limit })).map(messages.presentMessage),

    /** For real-time delivery: lists the ids of the parties of a conversation. */
    listParties: (id: string): Promise<string[]> => repository.listPartyIds(sql, id),

    /**
     * For real-time delivery: returns a person's unread counts, in this conversation and in total, or undefined for a
     * person who is not a party of the conversation.
     */
    findUnread: (party: ConversationPartyIds) => messages.findUnreadCounts(sql, party),

    /** Returns the number of messages that a person has not read, in all conversations. */
    countUnread: (userId: string): Promise<number> => messages.countUnread(sql, userId),
  };
};

export type ConversationService = ReturnType<typeof createConversationService>;
