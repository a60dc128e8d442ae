import { randomUUID } from 'node:crypto';
import { secondsAfter } from '#server/platform/clock.ts';
import type { DemoConversation } from './conversations.ts';
import type { PersonKey } from './people.ts';
import type { PlannedListing, SeededPerson } from './plan.ts';

/** A conversation with its people and times, ready to be written. */
export interface PlannedConversation {
  id: string;
  listing: PlannedListing;
  buyerId: string;
  sellerId: string;
  buyerReadSeq: number;
  sellerReadSeq: number;
  messages: { seq: number; senderId: string; text: string; createdAt: Date }[];
}

/** @throws when a conversation is about a listing that the campus does not have. */
export function planConversations(given: {
  conversations: readonly DemoConversation[];
  listings: readonly PlannedListing[];
  people: Record<PersonKey, SeededPerson>;
}): PlannedConversation[] {
  return given.conversations.map(({ about, buyer, after, messages, unread }) => {
    const listing = given.listings.find(({ title }) => title.startsWith(about));
    if (!listing) throw new Error(`The demo campus has no listing '${about}…'`);
    const buyerId = given.people[buyer].id;
    const sellerId = listing.seller.id;
    let createdAt = secondsAfter(listing.createdAt, after * 3600);
    const planned = messages.map(([who, text, minutes], index) => {
      createdAt = secondsAfter(createdAt, minutes * 60);
      return { seq: index + 1, senderId: who === 'buyer' ? buyerId : sellerId, text, createdAt };
    });
    // Nobody leaves their own message unread: only the one who did not write last is behind.
    const last = planned.length;
    const behind = last - unread;
    const buyerWroteLast = messages.at(-1)?.[0] === 'buyer';
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
}
