import { toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { AvailabilityAnswer, OwnListing } from '#contract/listings.ts';
import type { App } from '#server/app.ts';
import {
  markAnsweredQuestionsRead,
  publishNotificationsChanged,
} from '#server/features/notifications/public.ts';
import type { AvailabilityLink } from '#server/mail/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { afterCommit, runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import * as repository from './availability-repository.ts';
import type { OwnedListing } from './listing-row.ts';
import {
  assertMayPublish,
  assertNotSuspended,
  getOwnListing,
  invalidatePagesWithListing,
  lockOwnedListing,
} from './own-listings.ts';
import { unpublishOwnListing } from './publishing.ts';
import { lockListingChanges } from './repository.ts';
import { markSoldWithin } from './sales.ts';
import { publishDraft } from './status.ts';

/** For how many days the links of an email answer. */
const linkDays = 14;

const suspendedMessage = 'This account is suspended, so it cannot answer.';
const listingGoneMessage = 'This listing was deleted, or a moderator took it down.';

/** The status in which a listing is after each answer. */
const statusAfterAnswer = { yes: 'published', sold: 'sold', hide: 'draft' } as const;

const applyAnswer = async (
  app: App,
  tx: Transaction,
  listing: OwnedListing,
  answer: AvailabilityAnswer,
): Promise<void> => {
  if (answer === 'sold') return markSoldWithin(app, tx, listing, {});
  if (answer === 'hide') return unpublishOwnListing(app, tx, listing);
  if (listing.status === 'draft') await publishDraft(app, tx, listing.user_id, listing);
  else await repository.confirmAvailability(tx, listing, app.clock.now());
};

const isAlreadyTrue = (
  { status }: OwnedListing,
  question: repository.QuestionState,
  answer: AvailabilityAnswer,
): boolean =>
  status === statusAfterAnswer[answer] &&
  !question.is_paused &&
  (answer !== 'yes' || question.asked_at === null);

/** Throws unless the question can still be answered, in a link the one that was asked at `askedAt`. */
const assertAsked = (question: repository.QuestionState, askedAt: Date | undefined): void => {
  const isAsked = askedAt
    ? question.asked_at?.getTime() === askedAt.getTime()
    : question.asked_at !== null || question.is_paused;
  if (!isAsked) throw createProblem(question.has_open_deal ? 'open_deal' : 'question_answered');
};

/**
 * Applies the answer of a listing's owner. Only the first answer to a question counts, so that answers at the same time have
 * one outcome; an answer that is already true changes nothing. `askedAt` is the question that a link answers.
 */
const answer = (
  app: App,
  userId: string,
  { id, answer, askedAt }: { id: string; answer: AvailabilityAnswer; askedAt?: Date },
): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    await lockListingChanges(tx, userId);
    await (answer === 'yes' ? assertMayPublish(app, tx, userId) : assertNotSuspended(tx, userId));
    const listing = await lockOwnedListing(app, tx, userId, id);
    const now = app.clock.now();
    const today = toCampusDay(app.config.campus, now);
    const question = await repository.findQuestionState(tx, listing, today);
    if (askedAt === undefined && isAlreadyTrue(listing, question, answer)) return;
    assertAsked(question, askedAt);
    await applyAnswer(app, tx, listing, answer);
    await markAnsweredQuestionsRead(tx, userId, { now, today });
    afterCommit(tx, () => invalidatePagesWithListing(app, id, { ...listing, status: 'published' }));
    afterCommit(tx, () => publishNotificationsChanged(app, [userId]));
  });

/** Records whether this person's listing is still available. Throws question_answered when that was answered otherwise. */
export const answerAvailability = async (
  app: App,
  userId: string,
  id: string,
  given: AvailabilityAnswer,
): Promise<OwnListing> => {
  await answer(app, userId, { id, answer: given });
  return getOwnListing(app, userId, id);
};

/**
 * Returns the listing that a link asks about. Throws when the link has expired, its question was answered, or the listing
 * was deleted.
 */
export const getAskedListing = async (
  { sql, clock, config: { campus } }: App,
  { askedAt, ...link }: AvailabilityLink,
): Promise<repository.AskedListing> => {
  const now = clock.now();
  if (now >= addSeconds(askedAt, linkDays * dayInSeconds)) throw createProblem('availability_link_expired');
  const listing = await repository.findAskedListing(sql, { ...link, today: toCampusDay(campus, now) });
  if (!listing) throw createProblem('listing_not_found', { sentence: listingGoneMessage });
  if (listing.is_suspended) throw createProblem('not_authenticated', { sentence: suspendedMessage });
  assertAsked(listing, askedAt);
  return listing;
};

/** Applies the answer of a link. Throws when its question was answered in the meantime. */
export const answerByLink = (
  app: App,
  { userId, listingId, askedAt }: AvailabilityLink,
  given: AvailabilityAnswer,
): Promise<void> => answer(app, userId, { id: listingId, answer: given, askedAt });
