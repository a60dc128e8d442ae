import { createHash, randomUUID } from 'node:crypto';
import type { Campus } from '#contract/campus.ts';
import { publicUrl } from '#contract/photos.ts';
import type { Files } from '#server/platform/files.ts';
import type { DrawPictures } from './draw.ts';
import type { DrawingName } from './drawings/catalogue.ts';
import type { Picture } from './drawings/picture.ts';
import type { DemoListing, DemoPhoto } from './listing.ts';
import type { DemoPerson, PersonKey } from './people.ts';
import { daysBefore, saturdayAfter } from './schedule.ts';

const BUCKET = 'listing-photos';

export type SeededPerson = DemoPerson & { id: string; verified: boolean };

/** A photo that a listing will show: what is drawn, and where it is kept. */
interface PlannedPhoto {
  picture: Picture;
  bucket: typeof BUCKET;
  path: string;
  url: string;
}

/** A listing with everything settled that depends on who and when. */
export interface PlannedListing extends DemoListing {
  id: string;
  slug: string;
  seller: SeededPerson;
  createdAt: Date;
  gameDate: string | null;
  contactEmail: string | null;
  contactPhone: string | null;
  prints: PlannedPhoto[];
}

/** A photo that is kept, as its row tells it. */
export interface KeptPhoto extends PlannedPhoto {
  ownerId: string;
  width: number;
  height: number;
  thumbhash: string;
  bytes: number;
  createdAt: Date;
}

/** Settles owner, dates, addresses and pictures of each listing. The order decides how a drawing varies. */
export function planListings(given: {
  listings: readonly DemoListing[];
  people: Record<PersonKey, SeededPerson>;
  campus: Campus;
  start: Date;
}): PlannedListing[] {
  const { listings, people, campus, start } = given;
  return listings.map((listing, look) => {
    const seller = people[listing.by];
    const contact = listing.contact ?? 'email';
    return {
      ...listing,
      id: randomUUID(),
      slug: slugOf(listing.title, look),
      seller,
      createdAt: daysBefore(start, listing.days),
      gameDate: listing.game ? saturdayAfter(campus, start, listing.game) : null,
      contactEmail: contact === 'email' || contact === 'both' ? seller.email : null,
      contactPhone: contact === 'phone' || contact === 'both' ? seller.phone : null,
      prints: listing.photos.map((photo, place) => planPhoto(photo, look, place, seller.id)),
    };
  });
}

function planPhoto(photo: DemoPhoto, look: number, place: number, ownerId: string): PlannedPhoto {
  const close = photo.endsWith(' close');
  const drawing = photo.replace(' close', '') as DrawingName;
  // The number stands where an upload's time does: fixed, so that a repeated seeding finds its files.
  const path = `${ownerId}/${look * 10 + place}-${photo.replace(' ', '-')}.jpg`;
  return { picture: { drawing, seed: look + 1, close }, bucket: BUCKET, path, url: publicUrl(BUCKET, path) };
}

function slugOf(title: string, look: number): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return `${words}-${createHash('sha256').update(`${look} ${title}`).digest('hex').slice(0, 6)}`;
}

/** Draws and stores every photo with all its sizes. */
export async function keepPhotos(given: {
  listings: readonly PlannedListing[];
  files: Files;
  draw: DrawPictures;
}): Promise<KeptPhoto[]> {
  const wanted = given.listings.flatMap((listing) => listing.prints.map((planned) => ({ listing, planned })));
  const kept: KeptPhoto[] = [];
  await given.draw(
    wanted.map(({ planned }) => planned.picture),
    async (print, index) => {
      const { listing, planned } = wanted[index] ?? never(index);
      const key = `${planned.bucket}/${planned.path}`;
      await Promise.all(
        print.files.map(({ suffix, bytes, contentType }) =>
          given.files.put(`${key}${suffix}`, bytes, { contentType }),
        ),
      );
      const { width, height, thumbhash } = print;
      const bytes = print.files.reduce((sum, file) => sum + file.bytes.length, 0);
      kept.push({
        ...planned,
        ownerId: listing.seller.id,
        width,
        height,
        thumbhash,
        bytes,
        createdAt: listing.createdAt,
      });
    },
  );
  return kept;
}

const never = (index: number): never => {
  throw new RangeError(`No photo ${index} was asked for`);
};
