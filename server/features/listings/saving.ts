import { createFieldProblem, createProblem } from '#contract/errors.ts';
import {
  areRentalDaysInOrder,
  findPriceObstacle,
  type ListingSubmission,
  listingErrorMessages,
} from '#contract/listing-form.ts';
import type { OwnListing, SettableListingStatus } from '#contract/listings.ts';
import { photoErrorMessages } from '#contract/photos.ts';
import { type App, react } from '#server/app.ts';
import { listOwnedPhotos, queueFileRemoval } from '#server/features/photos/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { normalizeContactPhone } from './contact-phone.ts';
import {
  type ListingContent,
  makeSlug,
  type OwnedListing,
  toContentColumns,
  toListingContent,
  toSubmittedContent,
} from './listing-row.ts';
import {
  assertMayPublish,
  assertNotSuspended,
  getOwnListing,
  invalidatePagesWithListing,
  lockOwnedListing,
} from './own-listings.ts';
import { getDrawClosingTime } from './policy.ts';
import {
  findDrawClosingTime,
  preparePublication,
  publishOwnListing,
  unpublishOwnListing,
} from './publishing.ts';
import * as repository from './repository.ts';
import { clearSale } from './sale-repository.ts';
import { checkSameSeats, isSameSeatOffer } from './same-seats.ts';
import { assertTicketPriceAllowed } from './ticket-price.ts';
import { findWordingToReview, holdForReview } from './wording-check.ts';

/**
 * Saving a new listing with the same content again within this time counts as a double click and creates no second
 * listing.
 */
const doubleClickSeconds = 10;

const assertOwnPhotos = async (app: App, tx: Queryable, userId: string, urls: string[]): Promise<void> => {
  if (urls.length === 0) return;
  const owned = new Set(await listOwnedPhotos(app, userId, 'listing-photos', urls, tx));
  if (!urls.every((url) => owned.has(url))) throw createFieldProblem({ photos: photoErrorMessages.foreign });
};

/**
 * Inserts a listing, unless one with the same content was inserted a moment ago, of which it is not a copy. Returns the id
 * of the one or the other.
 */
export const insertWithSlug = async (
  app: App,
  tx: Queryable,
  listing: repository.NewListing,
): Promise<string> => {
  const { clock } = app;
  const since = addSeconds(clock.now(), -doubleClickSeconds);
  const duplicate = listing.copiedFrom
    ? undefined
    : await repository.findDuplicateListing(tx, { ...listing, since });
  if (duplicate) return duplicate;
  for (;;) {
    const slug = makeSlug(listing.content.title);
    const now = clock.now();
    const drawClosesAt = getDrawClosingTime(undefined, { ...listing, isClaimed: false }, now);
    const id = await repository.insertListing(tx, { ...listing, slug, drawClosesAt, now });
    if (!id) continue;
    if (listing.status === 'published') await react(app, tx, 'listing_published', { listingId: id });
    return id;
  }
};

/**
 * Stores the content of an existing listing. The order of the steps matters:
 *
 * 1. Checks, and decisions that need the stored listing, before anything changes it: whether it may change, whether
 *    saved searches must match it again, when a draw closes.
 * 2. A listing becomes a draft before its content is stored, because a draft may lack fields that the database
 *    requires of a published listing.
 * 3. The content is stored, and buyers with open deals are told about changes. If the listing is in review, they are
 *    told only after it is published again.
 * 4. A listing is published after its content is stored, for the reason of step 2. Its deals, which stayed unchanged
 *    while it was in review, are settled.
 * 5. Photos that the listing no longer has are removed last.
 */
const updateListing = async (
  app: App,
  tx: Queryable,
  listing: OwnedListing,
  {
    content,
    status,
    keepsDraft,
  }: { content: ListingContent; status: repository.ListingStatusAfterSave; keepsDraft: boolean },
): Promise<void> => {
  const { id: listingId } = listing;
  if (listing.status === 'sold') throw createProblem('listing_sold');
  await react(app, tx, 'before_listing_edit', { listing, to: content });
  if (listing.status === 'published' && status === 'published')
    await react(app, tx, 'before_published_listing_edit', { listingId });
  const drawClosesAt = await findDrawClosingTime(app, tx, listing, { content, status });
  if (status === 'draft' && !keepsDraft) await unpublishOwnListing(app, tx, listing);
  if (status === 'in_review') {
    await preparePublication(tx, listing);
    await react(app, tx, 'before_listing_withdrawal', { listingId });
  }
  if (listing.rented_until && content.category !== 'rentals') await clearSale(tx, listing);
  const now = app.clock.now();
  await repository.updateListingContent(tx, listing, { content, status, drawClosesAt, now });
  if (listing.status !== 'draft' && status !== 'draft')
    await react(app, tx, 'listing_edited', { listingId, before: listing, after: toContentColumns(content) });
  if (status === 'published')
    await publishOwnListing(app, tx, listing, { title: content.title, drawClosesAt });
  if (listing.status === 'in_review' && status === 'published')
    await react(app, tx, 'listing_available_again', { listingId });
  const dropped = listing.photos.filter((url) => !content.photos.includes(url));
  if (dropped.length > 0) await queueFileRemoval(app, tx, dropped);
};

/**
 * Stores the content of a new or existing listing. A listing whose wording must be reviewed is not published but held.
 * Returns its id and status.
 */
const storeListing = async (
  app: App,
  tx: Queryable,
  wanted: Pick<repository.NewListing, 'userId' | 'clientId' | 'content'> & {
    before: OwnedListing | undefined;
    wantedStatus: SettableListingStatus;
    /** Whether a draft that ended or is paused stays that, and keeps its page. */
    keepsDraft?: boolean;
  },
): Promise<{ id: string; status: repository.ListingStatusAfterSave }> => {
  const { userId, clientId, content, before, wantedStatus, keepsDraft = false } = wanted;
  if (wantedStatus === 'published') assertTicketPriceAllowed(app, toContentColumns(content));
  const found =
    wantedStatus === 'published'
      ? await findWordingToReview(tx, toContentColumns(content), { ownerId: userId, before })
      : [];
  const status = found.length > 0 ? ('in_review' as const) : wantedStatus;
  if (before) await updateListing(app, tx, before, { content, status, keepsDraft });
  const id = before?.id ?? (await insertWithSlug(app, tx, { userId, clientId, content, status }));
  const columns = toContentColumns(content);
  if (found.length > 0) await holdForReview(app, tx, { ...columns, id }, { before, found });
  // Other edits of a published listing leave a case alone that moderators have closed.
  else if (status === 'published' && !(before?.status === 'published' && isSameSeatOffer(before, columns)))
    await checkSameSeats(app, tx, { ...columns, id });
  return { id, status };
};

/** Creates a listing, or updates this person's listing with the given id or idempotency key, in one transaction. */
export const saveListing = async (
  app: App,
  userId: string,
  submission: ListingSubmission,
): Promise<OwnListing> => {
  const clientId = submission.clientId ?? null;
  const { id, before, status, content } = await runInTransaction(app.sql, async (tx) => {
    await repository.lockListingChanges(tx, userId);
    if (submission.status === 'published') await assertMayPublish(app, tx, userId);
    const known = clientId ? await repository.findListingByClientId(tx, userId, clientId) : undefined;
    const existing = submission.id ?? known;
    const before = existing ? await lockOwnedListing(app, tx, userId, existing) : undefined;
    const content = toSubmittedContent(normalizeContactPhone(app.config.campus, submission), before);
    // The form of an earlier version leaves out fields, which stay as they are stored.
    if (submission.status === 'published' && !areRentalDaysInOrder(content))
      throw createFieldProblem({ maxRentalDays: listingErrorMessages.rentalDays });
    await assertOwnPhotos(app, tx, userId, content.photos);
    const wantedStatus = submission.status;
    const stored = await storeListing(app, tx, { userId, clientId, content, before, wantedStatus });
    return { ...stored, before, content };
  });
  await invalidatePagesWithListing(app, id, before, { status, category: content.category });
  return getOwnListing(app, userId, id);
};

/** Changes the price of this person's listing, as saving its form with another price does. */
export const changeListingPrice = async (
  app: App,
  userId: string,
  id: string,
  price: number,
): Promise<OwnListing> => {
  const { before, status } = await runInTransaction(app.sql, async (tx) => {
    await repository.lockListingChanges(tx, userId);
    // A suspension locks the account before the listings, too.
    await assertNotSuspended(tx, userId);
    const before = await lockOwnedListing(app, tx, userId, id);
    if (before.status === 'sold') throw createProblem('listing_sold');
    const obstacle = findPriceObstacle({ category: before.category, price }, app.config.campus);
    if (obstacle) throw createFieldProblem({ price: obstacle });
    const content = { ...toListingContent(before), price };
    const stored = await storeListing(app, tx, {
      ...{ userId, clientId: null, content, before },
      wantedStatus: before.status === 'draft' ? 'draft' : 'published',
      keepsDraft: true,
    });
    return { ...stored, before };
  });
  await invalidatePagesWithListing(app, id, before, { status, category: before.category });
  return getOwnListing(app, userId, id);
};
