import {
  type Conversation,
  type Inbox,
  type Message,
  type MessageList,
  type MessageQuery,
  tooManyConversationsSentence,
} from '#contract/conversations.ts';
import { problem } from '#contract/errors.ts';
import { newConversations } from '#contract/limits.ts';
import { displayName } from '#contract/profiles.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import { type JsonText, jsonObject, toJson } from '#server/platform/json/json-text.ts';
import {
  atomically,
  isUniqueViolation,
  type Queryable,
  retryAfterDeadlocks,
  type Sql,
} from '#server/platform/postgres/database.ts';
import { decodeInboxCursor, encodeInboxCursor, findConversation, listInbox } from './inbox-repository.ts';
import * as messages from './message-repository.ts';
import { findOpeningRefusal, secondsUntilNextStart, toSendingError } from './policy.ts';
import * as repository from './repository.ts';

export interface ConversationsDeps {
  sql: Sql;
  clock: Clock;
  bus: Bus;
  mailer: Pick<Mailer, 'sendFirstMessage'>;
  /** Whether the limit on new conversations is enforced; true by default. */
  limited?: boolean;
}

interface ConversationParty {
  id: string;
  userId: string;
}

/**
 * Creates the service for conversations between two people about a listing. It announces changes on the bus after they
 * are committed.
 */
export const createConversations = ({ sql, clock, bus, mailer, limited = true }: ConversationsDeps) => {
  const getConversation = async (party: ConversationParty): Promise<JsonText<Conversation>> => {
    const conversation = await findConversation(sql, party);
    if (!conversation) throw problem('conversation_not_found');
    return conversation;
  };

  const queueSellerNotice = async (tx: Queryable, id: string): Promise<void> => {
    const notice = await repository.claimSellerNotice(tx, { id, now: clock.now() });
    if (!notice?.wanted) return;
    await mailer.sendFirstMessage(tx, {
      to: notice.seller_email,
      sellerName: displayName({ full_name: notice.seller_full_name, email: notice.seller_email }),
      buyerName: notice.buyer_name,
      listingTitle: notice.listing_title,
      messageText: notice.message_text,
      conversationId: id,
    });
  };

  /**
   * Creates the conversation and returns its id, or the id of the one that a concurrent call created; undefined when
   * the listing no longer exists.
   */
  const createOrFind = async (pair: { listingId: string; buyerId: string }): Promise<string | undefined> => {
    await repository.insertConversation(sql, { ...pair, now: clock.now() });
    return repository.findConversationId(sql, pair);
  };

  /**
   * Throws rate_limited when the buyer has started too many conversations. Only a first message starts one; opening an
   * empty one does not count.
   */
  const assertMayStart = async (
    tx: Queryable,
    { id, userId }: ConversationParty,
    now: Date,
  ): Promise<void> => {
    if (!limited) return;
    const since = secondsAfter(now, -newConversations.new.seconds);
    const person = await repository.lockAndListStarts(tx, { id, userId, since });
    const wait = person ? secondsUntilNextStart(person, now) : 0;
    if (wait > 0)
      throw problem('rate_limited', { retryAfter: wait, sentence: tooManyConversationsSentence(wait) });
  };

  const storeMessage = async (message: messages.NewMessage) => {
    const now = clock.now();
    // Most messages are not the first of their conversation, and for these a single statement without a transaction
    // suffices.
    const storeAsFollowing = () =>
      retryAfterDeadlocks(() => messages.insertMessage(sql, { ...message, now, first: false }));
    const row = await storeAsFollowing();
    if (row) return row;
    const firstMessage = await atomically(sql, async (tx) => {
      await assertMayStart(tx, message, now);
      const stored = await messages.insertMessage(tx, { ...message, now, first: true });
      if (stored) await queueSellerNotice(tx, message.id);
      return stored;
    });
    // If undefined, another message became the first in the meantime.
    return firstMessage ?? storeAsFollowing();
  };

  return {
    /** Returns a page of a person's conversations, the most recently active first. */
    list: async (userId: string, cursor: string | undefined): Promise<JsonText<Inbox>> => {
      const position = cursor === undefined ? undefined : decodeInboxCursor(cursor);
      const { conversations, end } = await listInbox(sql, userId, position);
      return jsonObject({
        items: conversations,
        next_cursor: toJson(end ? encodeInboxCursor(end) : null),
      });
    },

    /** Finds or creates the caller's conversation about a published listing. */
    open: async (userId: string, listingId: string): Promise<JsonText<Conversation>> => {
      const refusal = findOpeningRefusal(await repository.findPublishedListing(sql, listingId), userId);
      if (refusal) throw problem(refusal);
      const pair = { listingId, buyerId: userId };
      const id = (await repository.findConversationId(sql, pair)) ?? (await createOrFind(pair));
      // The listing was deleted between the two reads.
      if (id === undefined) throw problem('listing_not_found');
      return getConversation({ id, userId });
    },

    /** Returns the caller's conversation about a listing, or null when they may start one; writes nothing. */
    findAbout: async (userId: string, listingId: string): Promise<JsonText<Conversation | null>> => {
      const id = await repository.findConversationId(sql, { listingId, buyerId: userId });
      if (id !== undefined) return getConversation({ id, userId });
      const refusal = findOpeningRefusal(await repository.findPublishedListing(sql, listingId), userId);
      if (refusal) throw problem(refusal);
      return toJson(null);
    },

    get: getConversation,

    /** Lists messages for a party, oldest first. */
    listMessages: async (party: ConversationParty, query: MessageQuery): Promise<MessageList> => {
      // The messages are read concurrently with the access check; if the check fails, they are discarded.
      const [parties, rows] = await Promise.all([
        repository.findParties(sql, party),
        messages.listMessages(sql, party.id, { ...query, limit: query.limit + 1 }),
      ]);
      if (!parties) throw problem('conversation_not_found');
      const more = rows.length > query.limit;
      // The extra row is the last one in the requested direction.
      if (more && query.after_seq === undefined) rows.shift();
      else if (more) rows.pop();
      return { items: rows.map(messages.presentMessage), more };
    },

    /** Stores a message, or returns the one already stored under the same client id. */
    send: async (message: ConversationParty & { clientId: string; text: string }): Promise<Message> => {
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
      throw problem(toSendingError(await repository.findParties(sql, message)));
    },

    /** Records that a party has read all messages up to a seq; returns the remaining unread counts. */
    markRead: async (mark: ConversationParty & { seq: number }) => {
      const moved = await messages.markRead(sql, { ...mark, now: clock.now() });
      const unread = await messages.findUnread(sql, mark);
      if (!unread) throw problem('conversation_not_found');
      if (moved) await bus.publish({ kind: 'read', conversation_id: mark.id, user_id: mark.userId });
      return { conversation_id: mark.id, ...unread };
    },

    /** Queues the email to the seller about the first message, if it is due and not queued yet. */
    notifySeller: async (party: ConversationParty): Promise<void> => {
      if (!(await repository.findParties(sql, party))) throw problem('conversation_not_found');
      await sql.begin((tx) => queueSellerNotice(tx, party.id));
    },

    /** For real-time delivery: returns the newest seq if the person is a party; undefined for everyone else. */
    findLastSeq: async (party: ConversationParty): Promise<number | undefined> =>
      (await repository.findParties(sql, party))?.last_seq,

    /** For real-time delivery: returns the newest seq of each of these conversations that exists, by id. */
    listLastSeqs: async (ids: readonly string[]) =>
      new Map((await repository.listLastSeqs(sql, ids)).map((row) => [row.id, row.last_seq])),

    /** For real-time delivery, without an access check: lists messages after a seq, oldest first. */
    listAfter: async (id: string, afterSeq: number, limit: number): Promise<Message[]> =>
      (await messages.listMessages(sql, id, { after_seq: afterSeq, limit })).map(messages.presentMessage),

    /** For real-time delivery: lists the ids of the parties of a conversation. */
    listParties: (id: string): Promise<string[]> => repository.listParties(sql, id),

    /**
     * For real-time delivery: returns a person's unread counts, in this conversation and in total; undefined for
     * everyone else.
     */
    findUnread: (party: ConversationParty) => messages.findUnread(sql, party),

    /** Returns the number of messages that a person has not read, in all conversations. */
    countUnread: (userId: string): Promise<number> => messages.countUnread(sql, userId),
  };
};

export type Conversations = ReturnType<typeof createConversations>;
