import { createHash, randomUUID } from 'node:crypto';
import type { Campus } from '#contract/campus.ts';
import { type StorageBucket, toPublicFileUrl } from '#contract/photos.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { DemoListing, DemoPerson } from './data.ts';
import { getEndOfCampusDay, getNthSaturdayAfter, subtractDays } from './demo-times.ts';

const photoBucket = 'listing-photos';

export type SeededPerson = DemoPerson & { id: string; verified: boolean };

export interface PlannedPhoto {
  /** File name in `demo/pictures/`. */
  picture: string;
  bucket: StorageBucket;
  path: string;
}

/** A demo photo with its owner and its time, ready to be stored. */
export interface OwnedPhoto extends PlannedPhoto {
  ownerId: string;
  createdAt: Date;
}

/** A listing with its seller, dates, addresses and photos, ready to be written. */
export interface PlannedListing extends Omit<DemoListing, 'seller' | 'photos' | 'soldTo'> {
  id: string;
  slug: string;
  seller: SeededPerson;
  photos: (PlannedPhoto & { url: string })[];
  createdAt: Date;
  soldAt: Date | null;
  /** When the seller said that it is available. */
  confirmedAt: Date | null;
  /** When the seller was asked whether it is still available, and when it was paused because nobody answered. */
  askedAt: Date | null;
  pausedAt: Date | null;
  /**
   * Id of the person who, according to the seller, got the item, but has not confirmed this yet. It is null
   * if there is no such person.
   */
  soldToId: string | null;
  drawClosesAt: Date | null;
  gameDate: string | null;
  /** When the day of a passed game ended, or null for other listings. */
  endedAt: Date | null;
  contactEmail: string | null;
  contactPhone: string | null;
}

/** Returns the person with this short name. Throws when the demo campus has no such person. */
export const getPersonByName = (people: ReadonlyMap<string, SeededPerson>, name: string): SeededPerson => {
  const person = people.get(name);
  if (!person) throw new Error(`demo/people.json has no person '${name}'`);
  return person;
};

/** Assigns ids, sellers, dates and photo paths to the demo listings, with dates relative to `start`. */
export const planListings = (given: {
  listings: readonly DemoListing[];
  people: ReadonlyMap<string, SeededPerson>;
  campus: Campus;
  start: Date;
}): PlannedListing[] =>
  given.listings.map((listing) => {
    const { campus, start } = given;
    const { soldTo, ...rest } = listing;
    const {
      title,
      contact,
      daysAgo,
      homeGame,
      soldDaysAgo,
      confirmedDaysAgo,
      askedDaysAgo,
      pausedDaysAgo,
      drawHours,
    } = rest;
    const createdAt = subtractDays(start, daysAgo);
    const seller = getPersonByName(given.people, listing.seller);
    const gameDate = homeGame ? getNthSaturdayAfter(campus, start, homeGame) : null;
    return {
      ...rest,
      id: randomUUID(),
      slug: createSlug(title),
      seller,
      photos: listing.photos.map((picture) => planPhoto(picture, seller.id)),
      createdAt,
      soldAt: soldDaysAgo === undefined ? null : subtractDays(start, soldDaysAgo),
      confirmedAt: confirmedDaysAgo === undefined ? null : subtractDays(start, confirmedDaysAgo),
      askedAt: askedDaysAgo === undefined ? null : subtractDays(start, askedDaysAgo),
      pausedAt: pausedDaysAgo === undefined ? null : subtractDays(start, pausedDaysAgo),
      soldToId: soldTo === undefined ? null : getPersonByName(given.people, soldTo).id,
      drawClosesAt: drawHours === undefined ? null : addSeconds(createdAt, drawHours * 3600),
      gameDate,
      endedAt: homeGame && homeGame < 0 && gameDate ? getEndOfCampusDay(campus, gameDate) : null,
      contactEmail: contact === 'email' || contact === 'both' ? seller.email : null,
      contactPhone: contact === 'phone' || contact === 'both' ? seller.phone : null,
    };
  });

/** Lists the photos of listings. */
export const listListingPhotos = (listings: readonly PlannedListing[]): OwnedPhoto[] =>
  listings.flatMap(({ photos, seller, createdAt }) =>
    photos.map((photo) => ({ ...photo, ownerId: seller.id, createdAt })),
  );

const planPhoto = (picture: string, ownerId: string): PlannedListing['photos'][number] => {
  // Use 0 where the path of an uploaded photo contains a timestamp. The files then have the same names each
  // time the demo campus is created, so a repeated attempt can reuse the files of an interrupted one.
  const path = `${ownerId}/0-${picture.replace(/\.webp$/, '')}.jpg`;
  return { picture, bucket: photoBucket, path, url: toPublicFileUrl(photoBucket, path) };
};

const createSlug = (title: string): string => {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return `${words}-${createHash('sha256').update(title).digest('hex').slice(0, 6)}`;
};
