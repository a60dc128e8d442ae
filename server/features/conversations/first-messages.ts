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
import { type App, react } from '#server/app.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

/** Longest window of the limits on first messages, in seconds. */
const windowInSeconds = dayInSeconds;

/** A conversation that is about to get its first message. */
interface StartedConversation {
  id: string;
  userId: string;
  /** Text of the first message, or undefined for an offer without a message. */
  text?: string | undefined;
}

/**
 * Throws rate_limited when the person has sent nearly the same first message too often. Reports the person to the
 * moderators when the number of such messages reaches a threshold.
 */
const checkSimilar = async (
  app: App,
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
  await react(app, tx, 'signal_noticed', {
    subject: 'user',
    subjectId: userId,
    kind: 'similar_messages',
    detail: `Sent nearly the same first message to ${sentAt.length + 1} people within a day: “${text.slice(0, 300)}”`,
  });
};

/**
 * Throws membership_ended where only members of the campus may start something and the person no longer is one. Throws
 * rate_limited when the person has started too many conversations, or too many with nearly the same message.
 * A conversation is started by its first message; opening a conversation without sending a message does not count.
 */
export const assertMayStartConversation = async (
  app: App,
  tx: Queryable,
  conversation: StartedConversation,
  now: Date,
): Promise<void> => {
  const { userId, text = '' } = conversation;
  if (app.config.campusOnly && (await repository.isFormerMember(tx, userId)))
    throw createProblem('membership_ended');
  if (!app.config.rateLimits) return;
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
    await checkSimilar(app, tx, { userId, text }, { tier, now });
};

/** Queues the email to the seller about the first message, if it is due and not queued yet. */
export const queueFirstMessageEmail = async (
  app: App,
  tx: Queryable,
  id: string,
  now: Date,
): Promise<void> => {
  const notice = await repository.takeFirstMessageEmail(tx, { id, now });
  if (!notice?.wanted) return;
  await app.mail.send(tx, {
    kind: 'first_message',
    to: notice.seller_email,
    sellerName: getDisplayName({ full_name: notice.seller_full_name, email: notice.seller_email }),
    buyerName: notice.buyer_name,
    listingTitle: notice.listing_title,
    messageText: notice.message_text,
    isWritten: notice.is_written,
    conversationId: id,
    toSeq: notice.to_seq,
  });
};
