import { randomUUID } from 'node:crypto';
import { unsentMessageText } from '#contract/conversations.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { DemoConversation } from './data.ts';
import { getPersonByName, type PlannedListing, type SeededPerson } from './plan-listings.ts';

/** A conversation with its people and times, ready to be written. */
export interface PlannedConversation {
  id: string;
  listing: PlannedListing;
  buyerId: string;
  sellerId: string;
  buyerReadSeq: number;
  sellerReadSeq: number;
  messages: {
    seq: number;
    senderId: string;
    text: string;
    createdAt: Date;
    replyTo: number | null;
    /** Which of the unsent messages of the conversation it is, counted from 1. */
    unsentNumber: number | null;
  }[];
}

/**
 * Assigns ids, people and times to the demo conversations. Throws when a conversation is about a listing that
 * does not exist.
 */
export const planConversations = (given: {
  conversations: readonly DemoConversation[];
  listings: readonly PlannedListing[];
  people: ReadonlyMap<string, SeededPerson>;
}): PlannedConversation[] => {
  return given.conversations.map((conversation) => {
    const { messages, unread, hoursAfterListing } = conversation;
    const listing = given.listings.find(({ title }) => title === conversation.listing);
    if (!listing) throw new Error(`The demo campus has no listing '${conversation.listing}'`);
    const buyerId = getPersonByName(given.people, conversation.buyer).id;
    const sellerId = listing.seller.id;
    let createdAt = addSeconds(listing.createdAt, hoursAfterListing * 3600);
    let unsentCount = 0;
    const planned = messages.map(({ from, text, minutesLater, replyTo = null }, index) => {
      createdAt = addSeconds(createdAt, minutesLater * 60);
      if (text === undefined) unsentCount += 1;
      return {
        seq: index + 1,
        senderId: from === 'buyer' ? buyerId : sellerId,
        text: text ?? unsentMessageText,
        createdAt,
        replyTo,
        unsentNumber: text === undefined ? unsentCount : null,
      };
    });
    // The sender of the last message has read all messages, so only the other party can have unread messages.
    const last = planned.length;
    const behind = last - unread;
    const buyerWroteLast = messages.at(-1)?.from === 'buyer';
    return {
      id: randomUUID(),
      listing,
      buyerId,
      sellerId,
      buyerReadSeq: buyerWroteLast ? last : behind,
      sellerReadSeq: buyerWroteLast ? behind : last,
      messages: planned,
    };
  });
};
