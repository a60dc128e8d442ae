import { tooManyConversationsMessage } from '#contract/conversations.ts';
import { createProblem } from '#contract/errors.ts';
import { newConversationLimits } from '#contract/limits.ts';
import { getDisplayName } from '#contract/profiles.ts';
import type { Mailer } from '#server/mail/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { getSecondsUntilNextConversation } from './policy.ts';
import * as repository from './repository.ts';

/** Longest window of the limits on first messages, in seconds. */
const windowInSeconds = 24 * 3600;

/** A conversation that is about to get its first message. */
interface StartedConversation {
  id: string;
  userId: string;
  /** Undefined for an offer without a message. */
  text?: string | undefined;
}

export interface FirstMessagesDeps {
  mailer: Pick<Mailer, 'sendFirstMessage'>;
  /** Whether the limit on new conversations is enforced. */
  limited: boolean;
}

/** Creates the rules for the first message of a conversation: the limit on new conversations and the seller's email. */
export const createFirstMessages = ({ mailer, limited }: FirstMessagesDeps) => ({
  /**
   * Throws rate_limited when the buyer has started too many conversations. A conversation is
   * started by its first message; opening one without sending a message does not count.
   */
  assertMayStart: async (tx: Queryable, party: { id: string; userId: string }, now: Date): Promise<void> => {
    if (!limited) return;
    const since = addSeconds(now, -newConversationLimits.new.seconds);
    const person = await repository.lockAndListConversationStarts(tx, { ...party, since });
    const wait = person ? getSecondsUntilNextConversation(person, now) : 0;
    if (wait > 0)
      throw createProblem('rate_limited', { retryAfter: wait, sentence: tooManyConversationsMessage(wait) });
  },

  /** Queues the email to the seller about the first message, if it is due and not queued yet. */
  queueSellerNotice: async (tx: Queryable, id: string, now: Date): Promise<void> => {
    const notice = await repository.claimSellerNotice(tx, { id, now });
    if (!notice?.wanted) return;
    await mailer.sendFirstMessage(tx, {
      to: notice.seller_email,
      sellerName: getDisplayName({ full_name: notice.seller_full_name, email: notice.seller_email }),
      buyerName: notice.buyer_name,
      listingTitle: notice.listing_title,
      messageText: notice.message_text,
      conversationId: id,
    });
  },
});
