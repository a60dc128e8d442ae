import { type ListingStatus, listingRestoreSeconds } from '#contract/listings.ts';
import { checkedFields, type GuidelineViolation, type ListingText } from '#contract/prohibited-items.ts';
import { saleConfirmationDays } from '#contract/selling.ts';
import type {
  DeletedListing,
  ListingContent,
  ListingForModeration,
  ListingRow,
  OwnedListing,
} from './listing-row.ts';

/**
 * How long after its deletion a listing can be restored, in seconds: the time that the user
 * interface promises, plus a margin. The margin covers a late response to the deletion, a restore
 * request that takes time to arrive, and a toast that stays longer because it offers several
 * listings.
 */
export const restoreWindowSeconds = listingRestoreSeconds + 10;

/**
 * Returns the listing as an OwnedListing if the person owns it and has not deleted it, or undefined otherwise, as if
 * it did not exist.
 */
export const asOwnedListing = (listing: ListingRow | undefined, userId: string): OwnedListing | undefined =>
  listing?.user_id === userId && listing.deleted_at === null ? (listing as OwnedListing) : undefined;

/**
 * Returns the listing as a DeletedListing if the person owns it and it is marked as deleted, or undefined otherwise. A
 * job removes the row soon after the deletion.
 */
export const asDeletedListing = (
  listing: ListingRow | undefined,
  userId: string,
): DeletedListing | undefined =>
  listing?.user_id === userId && listing.deleted_at !== null ? (listing as DeletedListing) : undefined;

/** Returns whether a listing is paused, and neither taken down nor hidden with its owner's account. */
export const isPaused = ({ status, paused_at: pausedAt, hidden_at: hiddenAt }: ListingRow): boolean =>
  status === 'draft' && pausedAt !== null && hiddenAt === null;

/** Returns whether a listing ended or is paused, and is neither taken down nor hidden with its owner's account. */
export const isWithdrawn = (listing: ListingRow): boolean =>
  isPaused(listing) ||
  (listing.status === 'draft' && listing.ended_at !== null && listing.hidden_at === null);

/** Returns whether a listing was sold, ended or paused, so that its owner can post the same again. */
export const canCopyListing = (listing: ListingRow): boolean =>
  listing.status === 'sold' || isWithdrawn(listing);

export const canRestoreListing = ({ deleted_at }: DeletedListing, now: Date): boolean =>
  now.getTime() - deleted_at.getTime() < restoreWindowSeconds * 1000;

/** Returns the listing if moderators can decide about its wording, or undefined when it was deleted or taken down. */
export const asListingForModeration = (listing: ListingRow | undefined): ListingForModeration | undefined =>
  listing?.deleted_at === null && listing.hidden_at === null ? (listing as ListingForModeration) : undefined;

/**
 * Returns when the draw of a listing that is being saved closes, or null when it has no draw or was never published.
 * Saving a listing without changing the duration of its draw, holding it for review or making it a draft does not move
 * the closing time. A draft gets a new one when it is published, unless somebody has claimed the item before.
 */
export const getDrawClosingTime = (
  before: ListingRow | undefined,
  { content, status, isClaimed }: { content: ListingContent; status: ListingStatus; isClaimed: boolean },
  now: Date,
): Date | null => {
  if (content.giftMode !== 'draw') return null;
  const isSameDraw = before?.gift_mode === 'draw' && before.draw_hours === content.drawHours;
  const closesAt = isSameDraw ? before.draw_closes_at : null;
  if (closesAt && (status === 'draft' || before?.status !== 'draft' || isClaimed)) return closesAt;
  return status === 'published' ? new Date(now.getTime() + content.drawHours * 3_600_000) : null;
};

/**
 * Returns whether a listing is held for review with its current texts, and was already held with them at the given
 * time.
 */
export const isHeldForReviewSince = ({ status, held_at: heldAt }: ListingRow, instant: Date): boolean =>
  status === 'in_review' && heldAt !== null && heldAt <= instant;

export const hasSameWording = (a: ListingText, b: ListingText): boolean =>
  checkedFields.every((field) => a[field] === b[field]);

/**
 * Returns whether a listing must be reviewed before it is published: it clearly violates a guideline about prohibited
 * items, and no moderator has approved its current texts.
 */
export const needsWordingReview = (
  clear: readonly GuidelineViolation[],
  text: ListingText,
  before: (ListingText & { wording_approved_at: Date | null }) | undefined,
): boolean => clear.length > 0 && !(before?.wording_approved_at && hasSameWording(before, text));

/**
 * Returns the listing if this person got it according to its owner, or undefined otherwise, as if the listing did not
 * exist.
 */
export const asListingSoldTo = (listing: ListingRow | undefined, userId: string): ListingRow | undefined =>
  listing?.sold_to === userId && listing.deleted_at === null ? listing : undefined;

export const canConfirmOrDenySale = ({ sold_at: soldAt }: ListingRow, now: Date): boolean =>
  soldAt !== null && now.getTime() - soldAt.getTime() < saleConfirmationDays * 24 * 3_600_000;

/**
 * Returns whether the sale of a listing is confirmed, so that it cannot be listed again. A rental that comes back can,
 * although its renter has confirmed that they got it.
 */
export const isSaleFinal = ({
  sale_confirmed_at: confirmedAt,
  rented_until: until,
}: Pick<ListingRow, 'sale_confirmed_at' | 'rented_until'>): boolean => confirmedAt !== null && until === null;
