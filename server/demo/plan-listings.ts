import { createHash, randomUUID } from 'node:crypto';
import type { Campus } from '#contract/campus.ts';
import { publicUrl } from '#contract/photos.ts';
import type { DemoListing, DemoPerson } from './data.ts';
import { daysBefore, saturdayAfter } from './schedule.ts';

const bucket = 'listing-photos';

export type SeededPerson = DemoPerson & { id: string; verified: boolean };

export interface PlannedPhoto {
  /** File name in `demo/pictures/`. */
  picture: string;
  bucket: typeof bucket;
  path: string;
  url: string;
}

/** A listing with its seller, dates, addresses and photos, ready to be written. */
export interface PlannedListing extends Omit<DemoListing, 'seller' | 'photos'> {
  id: string;
  slug: string;
  seller: SeededPerson;
  photos: PlannedPhoto[];
  createdAt: Date;
  gameDate: string | null;
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
    const { title, contact, daysAgo, homeGame } = listing;
    const seller = getPersonByName(given.people, listing.seller);
    return {
      ...listing,
      id: randomUUID(),
      slug: createSlug(title),
      seller,
      photos: listing.photos.map((picture) => planPhoto(picture, seller.id)),
      createdAt: daysBefore(start, daysAgo),
      gameDate: homeGame ? saturdayAfter(campus, start, homeGame) : null,
      contactEmail: contact === 'email' || contact === 'both' ? seller.email : null,
      contactPhone: contact === 'phone' || contact === 'both' ? seller.phone : null,
    };
  });

const planPhoto = (picture: string, ownerId: string): PlannedPhoto => {
  // Paths of uploads contain the time at this position. A fixed 0 lets a repeated seeding reuse the files of an
  // interrupted one.
  const path = `${ownerId}/0-${picture.replace(/\.webp$/, '')}.jpg`;
  return { picture, bucket, path, url: publicUrl(bucket, path) };
};

const createSlug = (title: string): string => {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return `${words}-${createHash('sha256').update(title).digest('hex').slice(0, 6)}`;
};
