import {
  formatTooManyConversationsMessage,
  formatTooManySimilarMessagesMessage,
} from '#contract/conversations.ts';
import { createProblem } from '#contract/errors.ts';
import {
  type AccountTier,
  getAccountTier,
  getSecondsUntilAllowed,
  messageSimilarityThreshold,
  minComparedMessageLength,
  newConversationLimits,
  similarMessageLimits,
  similarMessageSignalThresholds,
} from '#contract/limits.ts';
import { getDisplayName } from '#contract/profiles.ts';
import { countCharacters } from '#contract/text.ts';
import type { Mailer } from '#server/mail/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

/** Longest window of the limits on first messages, in seconds. */
const windowInSeconds = dayInSeconds;

/** Reports a person to the moderators, in the transaction in which their behavior was noticed. */
export type PersonSignalRecorder = (
  tx: Queryable,
  signal: { subject: 'user'; subjectId: string; kind: 'similar_messages'; detail: string },
) => Promise<void>;

/** A conversation that is about to get its first message. */
interface StartedConversation {
  id: string;
  userId: string;
  /** Text of the first message, or undefined for an offer without a message. */
  text?: string | undefined;
}

export interface FirstMessageRulesDeps {
  mailer: Pick<Mailer, 'sendFirstMessage'>;
  /** Whether the limit on new conversations is enforced. */
  limited: boolean;
  /**
   * Reports senders of similar messages to the moderators. Undefined in commands, because they start no conversations.
   */
  openSignal?: PersonSignalRecorder | undefined;
}

/** Creates the rules for the first message of a conversation: the limits on new conversations and the seller's email. */
export const createFirstMessageRules = ({ mailer, limited, openSignal }: FirstMessageRulesDeps) => {
  /**
   * Throws rate_limited when the person has sent nearly the same first message too often. Reports the person to the
   * moderators when the number of such messages reaches a threshold.
   */
  const checkSimilar = async (
    tx: Queryable,
    { userId, text }: { userId: string; text: string },
    { tier, now }: { tier: AccountTier; now: Date },
  ): Promise<void> => {
    const since = addSeconds(now, -windowInSeconds);
    const sentAt = await repository.listSimilarFirstMessages(tx, {
      userId,
      text,
      since,
      similarityThreshold: messageSimilarityThreshold,
    });
    const wait = getSecondsUntilAllowed(sentAt, similarMessageLimits[tier], now);
    if (wait > 0)
      throw createProblem('rate_limited', {
        retryAfter: wait,
        sentence: formatTooManySimilarMessagesMessage(wait),
      });
    if (sentAt.length + 1 !== similarMessageSignalThresholds[tier]) return;
    await openSignal?.(tx, {
      subject: 'user',
      subjectId: userId,
      kind: 'similar_messages',
      detail: `Sent nearly the same first message to ${sentAt.length + 1} people within a day: “${text.slice(0, 300)}”`,
    });
  };

  return {
    /**
     * Throws rate_limited when the buyer has started too many conversations, or too many with nearly the same message.
     * A conversation is started by its first message; opening a conversation without sending a message does not count.
     */
    assertMayStart: async (tx: Queryable, conversation: StartedConversation, now: Date): Promise<void> => {
      if (!limited) return;
      const { userId, text = '' } = conversation;
      const since = addSeconds(now, -windowInSeconds);
      const person = await repository.lockAndListConversationStarts(tx, { ...conversation, since });
      if (!person) return;
      const tier = getAccountTier(person, now);
      const wait = getSecondsUntilAllowed(person.startedAt, newConversationLimits[tier], now);
      if (wait > 0)
        throw createProblem('rate_limited', {
          retryAfter: wait,
          sentence: formatTooManyConversationsMessage(wait),
        });
      const mayRepeat = person.startedAt.length >= similarMessageLimits[tier].points;
      if (mayRepeat && countCharacters(text) >= minComparedMessageLength)
        await checkSimilar(tx, { userId, text }, { tier, now });
    },

    /** Queues the email to the seller about the first message, if it is due and not queued yet. */
    queueSellerNotice: async (tx: Queryable, id: string, now: Date): Promise<void> => {
      const notice = await repository.takeFirstMessageEmail(tx, { id, now });
      if (!notice?.wanted) return;
      await mailer.sendFirstMessage(tx, {
        to: notice.seller_email,
        sellerName: getDisplayName({ full_name: notice.seller_full_name, email: notice.seller_email }),
        buyerName: notice.buyer_name,
        listingTitle: notice.listing_title,
        messageText: notice.message_text,
        conversationId: id,
        toSeq: notice.to_seq,
      });
    },
  };
};
