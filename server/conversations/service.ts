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
  /** Whether the limit on new conversations is enforced. */
  limited?: boolean;
}

interface ConversationParty {
  id: string;
  userId: string;
}

/** Creates the service for conversations between two people about a listing. Announces changes after they are committed. */
export const createConversations = ({ sql, clock, bus, mailer, limited = true }: ConversationsDeps) => {
  const getConversation = async (mine: ConversationParty): Promise<JsonText<Conversation>> => {
    const conversation = await findConversation(sql, mine);
    if (!conversation) throw problem('conversation_not_found');
    return conversation;
  };

  const tellSeller = async (tx: Queryable, id: string): Promise<void> => {
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

  /** Creates the conversation, or finds it when another call was faster; undefined when the listing no longer exists. */
  const begin = async (pair: { listingId: string; buyerId: string }): Promise<string | undefined> => {
    await repository.insertConversation(sql, { ...pair, now: clock.now() });
    return repository.findConversationId(sql, pair);
  };

  /** Only a first message starts a conversation; opening an empty one does not count. */
  const checkStart = async (tx: Queryable, { id, userId }: ConversationParty, now: Date): Promise<void> => {
    if (!limited) return;
    const since = secondsAfter(now, -newConversations.new.seconds);
    const person = await repository.lockAndListStarts(tx, { id, userId, since });
    const wait = person ? secondsUntilNextStart(person, now) : 0;
    if (wait > 0)
      throw problem('rate_limited', { retryAfter: wait, sentence: tooManyConversationsSentence(wait) });
  };

  const store = async (message: messages.NewMessage) => {
    const now = clock.now();
    // It is rarely the first message, and a single statement needs no transaction.
    const storeLater = () =>
      retryAfterDeadlocks(() => messages.insertMessage(sql, { ...message, now, first: false }));
    const row = await storeLater();
    if (row) return row;
    const opening = await atomically(sql, async (tx) => {
      await checkStart(tx, message, now);
      const stored = await messages.insertMessage(tx, { ...message, now, first: true });
      if (stored) await tellSeller(tx, message.id);
      return stored;
    });
    // Another message became the first in the meantime.
    return opening ?? storeLater();
  };

  return {
    /** A page of a person's conversations, the latest first. */
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
      const id = (await repository.findConversationId(sql, pair)) ?? (await begin(pair));
      // Deleted between the two reads.
      if (id === undefined) throw problem('listing_not_found');
      return getConversation({ id, userId });
    },

    /** Returns the caller's conversation about a listing, null where they may start one; writes nothing. */
    findAbout: async (userId: string, listingId: string): Promise<JsonText<Conversation | null>> => {
      const id = await repository.findConversationId(sql, { listingId, buyerId: userId });
      if (id !== undefined) return getConversation({ id, userId });
      const refusal = findOpeningRefusal(await repository.findPublishedListing(sql, listingId), userId);
      if (refusal) throw problem(refusal);
      return toJson(null);
    },

    get: getConversation,

    /** Lists messages for a party, oldest first. */
    listMessages: async (mine: ConversationParty, query: MessageQuery): Promise<MessageList> => {
      // Runs concurrently with the access check, whose failure discards the rows.
      const [parties, rows] = await Promise.all([
        repository.findParties(sql, mine),
        messages.listMessages(sql, mine.id, { ...query, limit: query.limit + 1 }),
      ]);
      if (!parties) throw problem('conversation_not_found');
      const more = rows.length > query.limit;
      // The extra row is at the far end of the requested direction.
      if (more && query.after_seq === undefined) rows.shift();
      else if (more) rows.pop();
      return { items: rows.map(messages.presentMessage), more };
    },

    /** Stores a message, or returns the one already stored under the same client id. */
    send: async (message: ConversationParty & { clientId: string; text: string }): Promise<Message> => {
      let stored: messages.MessageRow | undefined;
      try {
        stored = await store(message);
      } catch (error) {
        if (!isUniqueViolation(error, 'messages_once')) throw error;
      }
      if (stored) {
        await bus.publish({ kind: 'message', conversation_id: message.id, seq: stored.seq });
        return messages.presentMessage(stored);
      }
      const before = await messages.findMessageByClientId(sql, message);
      if (before) return messages.presentMessage(before);
      throw problem(toSendingError(await repository.findParties(sql, message)));
    },

    /** Records that a party has read up to a seq; returns what is left unread. */
    markRead: async (mark: ConversationParty & { seq: number }) => {
      const moved = await messages.markRead(sql, { ...mark, now: clock.now() });
      const unread = await messages.findUnread(sql, mark);
      if (!unread) throw problem('conversation_not_found');
      if (moved) await bus.publish({ kind: 'read', conversation_id: mark.id, user_id: mark.userId });
      return { conversation_id: mark.id, ...unread };
    },

    /** Makes sure that the seller's mail about the first message is queued, if one is due. */
    notifySeller: async (mine: ConversationParty): Promise<void> => {
      if (!(await repository.findParties(sql, mine))) throw problem('conversation_not_found');
      await sql.begin((tx) => tellSeller(tx, mine.id));
    },

    /** For live delivery: returns the newest seq to a party; undefined for everyone else. */
    findLastSeq: async (mine: ConversationParty): Promise<number | undefined> =>
      (await repository.findParties(sql, mine))?.last_seq,

    /** For live delivery: lists the newest seq of each of these conversations that exists. */
    listLastSeqs: async (ids: readonly string[]) =>
      new Map((await repository.listLastSeqs(sql, ids)).map((row) => [row.id, row.last_seq])),

    /** For live delivery to admitted listeners: lists messages after a seq, oldest first. */
    listAfter: async (id: string, afterSeq: number, limit: number): Promise<Message[]> =>
      (await messages.listMessages(sql, id, { after_seq: afterSeq, limit })).map(messages.presentMessage),

    /** For live delivery: lists the parties of a conversation. */
    listParties: (id: string): Promise<string[]> => repository.listParties(sql, id),

    /** For live delivery: returns a person's unread counts, in this conversation and in total; undefined for strangers. */
    findUnread: (mine: ConversationParty) => messages.findUnread(sql, mine),

    /** What a person has not read in all. */
    countUnread: (userId: string): Promise<number> => messages.countUnread(sql, userId),
  };
};

export type Conversations = ReturnType<typeof createConversations>;
