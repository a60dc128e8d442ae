import { createProblem } from '#contract/errors.ts';
import { formatTakenDownMessage, type ListingStatus } from '#contract/listings.ts';
import { type App, react } from '#server/app.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  type ListingContent,
  type ListingForModeration,
  makeSlug,
  type OwnedListing,
} from './listing-row.ts';
import { getDrawClosingTime } from './policy.ts';
import * as repository from './repository.ts';
import { clearSale } from './sale-repository.ts';

/**
 * Publishes a listing. Its slug is created from the title at the first publication and never changes afterwards.
 */
export const publishWithSlug = async (
  app: App,
  tx: Queryable,
  listing: OwnedListing | ListingForModeration,
  { title, drawClosesAt, now }: { title: string | null; drawClosesAt: Date | null; now: Date },
): Promise<void> => {
  // Where everybody may sell, a person whose membership has ended does so without the badge.
  const showsFormerMember = !app.config.campusOnly;
  const change = { drawClosesAt, showsFormerMember, now };
  if (listing.published_at) {
    await repository.publishListing(tx, listing, { ...change, slug: listing.slug });
    await react(app, tx, 'listing_republished', { listingId: listing.id });
    return;
  }
  while (!(await repository.publishListing(tx, listing, { ...change, slug: makeSlug(title) })));
};

/** Returns when the draw of an existing listing closes, or null when it has no draw or was never published. */
export const findDrawClosingTime = async (
  { clock }: App,
  tx: Queryable,
  listing: OwnedListing,
  after: { content: ListingContent; status: ListingStatus },
): Promise<Date | null> => {
  const isClaimed =
    after.content.giftMode === 'draw' && (await repository.hasEverBeenClaimed(tx, listing.id));
  return getDrawClosingTime(listing, { ...after, isClaimed }, clock.now());
};

const assertNotTakenDown = (listing: OwnedListing): void => {
  if (!listing.hidden_at) return;
  const sentence = formatTakenDownMessage(listing.hidden_reason ?? '');
  throw createProblem('listing_taken_down', { sentence });
};

/**
 * Prepares a listing for publication or review. A moderator can make a sold listing a draft; its owner then lists it
 * again.
 */
export const preparePublication = async (tx: Queryable, listing: OwnedListing): Promise<void> => {
  assertNotTakenDown(listing);
  if (!listing.sold_at || listing.rented_until) return;
  if (listing.sale_confirmed_at) throw createProblem('sale_confirmed');
  await clearSale(tx, listing);
};

export const publishOwnListing = async (
  app: App,
  tx: Queryable,
  listing: OwnedListing,
  { title, drawClosesAt }: { title: string | null; drawClosesAt: Date | null },
): Promise<void> => {
  await preparePublication(tx, listing);
  if (listing.status !== 'published') await react(app, tx, 'listing_published', { listingId: listing.id });
  await publishWithSlug(app, tx, listing, { title, drawClosesAt, now: app.clock.now() });
};

/** Makes a listing a draft. Throws handover_unconfirmed while a handover is unconfirmed. */
export const unpublishOwnListing = async (app: App, tx: Queryable, listing: OwnedListing): Promise<void> => {
  await react(app, tx, 'before_listing_withdrawal', { listingId: listing.id });
  await repository.unpublishListing(tx, listing, app.clock.now());
  await react(app, tx, 'listing_unpublished', { listing });
};
