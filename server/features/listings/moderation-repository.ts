import { type ListingStatus, type PublicContent, publicContentFields } from '#contract/listings.ts';
import { withdrawnCondition } from '#server/features/listing-visibility/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { columnList, fragment } from '#server/platform/postgres/sql-fragments.ts';
import { toPublicPriceRecord } from './public-price.ts';

export interface ModeratedListing extends PublicContent {
  id: string;
  slug: string;
  user_id: string;
  owner_email: string;
  owner_suspended: boolean;
  status: ListingStatus;
  hidden_at: Date | null;
  hidden_with: 'listing' | 'account' | null;
  hidden_reason: string | null;
  requested_changes: string | null;
  wording_approved_at: Date | null;
  sold_at: Date | null;
  sale_confirmed_at: Date | null;
  rented_until: string | null;
  updated_at: Date;
  deleted_at: Date | null;
}

/** Finds a listing by id or slug and locks it until the transaction ends. */
export const findListingForModeration = async (
  tx: Queryable,
  name: string,
): Promise<ModeratedListing | undefined> => {
  const [row] = await tx<ModeratedListing[]>`
    SELECT ${columnList(publicContentFields.map((field) => `l.${field}`))}, l.id, l.slug, l.user_id, u.email AS owner_email,
      c.suspended_at IS NOT NULL AS owner_suspended, l.status, l.hidden_at, l.hidden_with, l.hidden_reason,
      l.requested_changes, l.wording_approved_at, l.sold_at, l.sale_confirmed_at, l.rented_until::text, l.updated_at,
      l.deleted_at
    FROM listings l JOIN users u ON u.id = l.user_id JOIN private.credentials c ON c.user_id = u.id
    WHERE l.id::text = ${name} OR l.slug = ${name} FOR NO KEY UPDATE OF l`;
  return row;
};

export const markListingHidden = async (
  tx: Queryable,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<void> => {
  await tx`
    WITH ${toPublicPriceRecord(id, now)}
    UPDATE listings SET status = 'draft', hidden_at = ${now}, hidden_with = 'listing', hidden_reason = ${reason},
      held_at = NULL, updated_at = ${now}
    WHERE id = ${id}`;
};

/** Changes the reason of a listing that is taken down; `hidden_at` stays the time of the first decision. */
export const changeHiddenReason = async (
  tx: Queryable,
  { id, reason }: { id: string; reason: string },
): Promise<void> => {
  await tx`UPDATE listings SET hidden_reason = ${reason} WHERE id = ${id} AND hidden_with = 'listing'`;
};

/** Clears what moderators decided about a listing, except the changes that it still needs. It stays a draft. */
export const clearModerationDecision = async (
  tx: Queryable,
  { id, requestedChanges, now }: { id: string; requestedChanges: string | null; now: Date },
): Promise<void> => {
  await tx`
    UPDATE listings SET hidden_at = NULL, hidden_with = NULL, hidden_reason = NULL,
      requested_changes = ${requestedChanges}, updated_at = ${now}
    WHERE id = ${id}`;
};

/**
 * SQL expression for the status of a listing that is shown again: `sold` if it was sold, `draft` if it ended or was
 * paused, and `published` otherwise.
 */
const shownStatus = fragment`CASE WHEN sold_at IS NOT NULL AND rented_until IS NULL THEN 'sold'
  WHEN ended_at IS NOT NULL OR paused_at IS NOT NULL THEN 'draft' ELSE 'published' END`;

export const republishListing = async (
  tx: Queryable,
  { id, now }: { id: string; now: Date },
): Promise<void> => {
  await tx`
    UPDATE listings SET status = ${shownStatus}, updated_at = ${now}, published_at = coalesce(published_at, ${now})
    WHERE id = ${id} AND deleted_at IS NULL`;
};

/** Returns whether a person is suspended, and delays suspensions of this person until the transaction ends. */
export const lockAndCheckSuspension = async (tx: Queryable, userId: string): Promise<boolean> => {
  const [credentials] = await tx<{ suspended: boolean }[]>`
    SELECT suspended_at IS NOT NULL AS suspended FROM private.credentials WHERE user_id = ${userId} FOR SHARE`;
  return credentials?.suspended ?? false;
};

/** Returns whether a person's membership has ended, and delays its end until the transaction ends. */
export const lockAndCheckFormerMember = async (tx: Queryable, userId: string): Promise<boolean> => {
  const [membership] = await tx<{ has_ended: boolean }[]>`
    SELECT ended_at IS NOT NULL AS has_ended FROM private.memberships WHERE user_id = ${userId} FOR SHARE`;
  return membership?.has_ended ?? false;
};

/** Hides all public listings of a person. A listing that was already taken down keeps the reason for that. */
export const markUserListingsHidden = async (
  tx: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<void> => {
  await tx`
    UPDATE listings l SET status = 'draft', hidden_at = ${now}, hidden_with = 'account'
    WHERE user_id = ${userId} AND hidden_at IS NULL AND (status IN ('published', 'sold') OR ${withdrawnCondition})`;
};

/**
 * Publishes all listings that were hidden because their owner was suspended. Questions that the owner could not answer
 * meanwhile are withdrawn.
 */
export const republishUserListings = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`
    UPDATE listings SET status = ${shownStatus}, hidden_at = NULL, hidden_with = NULL,
      asked_at = CASE WHEN paused_at IS NOT NULL THEN asked_at END
    WHERE user_id = ${userId} AND hidden_with = 'account' AND deleted_at IS NULL`;
};
