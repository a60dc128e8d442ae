import { createFieldProblem } from '#contract/errors.ts';
import {
  type CheckedListing,
  findGuidelineViolations,
  formatProhibitedMessage,
  type GuidelineViolation,
  guidelineSubjects,
  type ListingText,
} from '#contract/prohibited-items.ts';
import { type App, react } from '#server/app.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { formFieldByColumn, type ListingRow } from './listing-row.ts';
import { hasSameWording, needsWordingReview } from './policy.ts';
import * as repository from './wording-review-repository.ts';

/** Returns the text that tells moderators why a listing is held for review. */
export const formatHoldReason = (found: readonly GuidelineViolation[]): string => {
  const parts = found.map(
    ({ field, guideline }) => `the ${field.replace('_', ' ')} suggests “${guidelineSubjects[guideline]}”`,
  );
  return `Held for review: ${parts.join('; ')}.`;
};

/**
 * Returns the guideline violations that require a review of a listing before it is published: texts that clearly offer
 * something prohibited. Returns an empty list when a moderator has approved the same texts. Throws a field error when
 * nobody but its owner could review it. `before` is the listing before the change, or undefined for a new one.
 */
export const findWordingToReview = async (
  tx: Queryable,
  listing: CheckedListing,
  { ownerId, before }: { ownerId: string; before: ListingRow | undefined },
): Promise<GuidelineViolation[]> => {
  const found = findGuidelineViolations(listing).filter(({ isClear }) => isClear);
  if (!needsWordingReview(found, listing, before)) return [];
  if (!(await repository.hasModerators(tx, ownerId)))
    throw createFieldProblem(
      Object.fromEntries(
        found
          .map(({ field, guideline }) => [formFieldByColumn[field], formatProhibitedMessage(guideline)])
          .toReversed(),
      ),
    );
  return found;
};

/**
 * Holds a listing for review and reports it to the moderators. Does nothing if it is already held with the same
 * texts. `before` is the listing before the change, or undefined for a new one.
 */
export const holdForReview = async (
  app: App,
  tx: Queryable,
  listing: ListingText & { id: string },
  { before, found }: { before: ListingRow | undefined; found: readonly GuidelineViolation[] },
): Promise<void> => {
  if (before?.status === 'in_review' && hasSameWording(before, listing)) return;
  await repository.holdListingForReview(tx, listing.id, app.clock.now());
  await react(app, tx, 'signal_noticed', {
    subject: 'listing',
    subjectId: listing.id,
    kind: 'prohibited_wording',
    detail: formatHoldReason(found),
    isHeld: true,
  });
};
