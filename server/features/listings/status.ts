import { toCampusDay } from '#contract/campus.ts';
import { createProblem, toFieldErrors } from '#contract/errors.ts';
import { createPublishedListingSchema, listingErrorMessages } from '#contract/listing-form.ts';
import type { OwnListing, SettableListingStatus } from '#contract/listings.ts';
import type { App } from '#server/app.ts';
import { runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import { isContactPhoneValid } from './contact-phone.ts';
import { type OwnedListing, toListingContent } from './listing-row.ts';
import {
  assertMayPublish,
  getOwnListing,
  invalidatePagesWithListing,
  lockOwnedListing,
} from './own-listings.ts';
import {
  findDrawClosingTime,
  preparePublication,
  publishOwnListing,
  unpublishOwnListing,
} from './publishing.ts';
import { lockListingChanges } from './repository.ts';
import { checkSameSeats } from './same-seats.ts';
import { assertTicketsPublishable } from './ticket-price.ts';
import { findWordingToReview, holdForReview } from './wording-check.ts';

/** Throws listing_incomplete, with a message for each form field that a stored listing lacks for publication. */
const assertComplete = ({ config, clock }: App, listing: OwnedListing): void => {
  const checked = createPublishedListingSchema(
    toCampusDay(config.campus, clock.now()),
    config.campus,
  ).safeParse(toListingContent(listing));
  const fields = checked.success ? {} : toFieldErrors(checked.error);
  if (!isContactPhoneValid(config.campus, listing.contact_phone))
    fields.contactPhone ??= listingErrorMessages.phoneFormat;
  const [sentence] = Object.values(fields);
  if (sentence !== undefined) throw createProblem('listing_incomplete', { sentence, fields });
};

/** Publishes a draft, or holds it for review because of its wording. Returns whether it is published. */
export const publishDraft = async (
  app: App,
  tx: Transaction,
  userId: string,
  listing: OwnedListing,
): Promise<boolean> => {
  assertComplete(app, listing);
  assertTicketsPublishable(app, listing);
  const found = await findWordingToReview(tx, listing, { ownerId: userId, before: listing });
  if (found.length > 0) {
    await preparePublication(tx, listing);
    await holdForReview(app, tx, listing, { before: listing, found });
    return false;
  }
  const content = toListingContent(listing);
  const drawClosesAt = await findDrawClosingTime(app, tx, listing, { content, status: 'published' });
  await publishOwnListing(app, tx, listing, { title: listing.title, drawClosesAt });
  await checkSameSeats(app, tx, listing);
  return true;
};

/** Publishes a complete draft, or turns a published listing into a draft. */
export const setListingStatus = async (
  app: App,
  userId: string,
  id: string,
  status: SettableListingStatus,
): Promise<OwnListing> => {
  const changed = await runInTransaction(app.sql, async (tx) => {
    await lockListingChanges(tx, userId);
    if (status === 'published') await assertMayPublish(app, tx, userId);
    const listing = await lockOwnedListing(app, tx, userId, id);
    if (listing.status === status) return undefined;
    if (listing.status === 'in_review' && status === 'published') return undefined;
    if (listing.status === 'sold') throw createProblem('listing_sold');
    if (status === 'draft') {
      await unpublishOwnListing(app, tx, listing);
      return listing;
    }
    return (await publishDraft(app, tx, userId, listing)) ? listing : undefined;
  });
  if (changed) await invalidatePagesWithListing(app, id, changed, { ...changed, status });
  return getOwnListing(app, userId, id);
};
