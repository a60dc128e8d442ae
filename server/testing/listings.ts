import type { DraftListing } from '#contract/listing-form.ts';
import type { Person, TestApp } from './app.ts';

export const validListingForm = {
  title: 'Solid oak desk with two drawers',
  category: 'furniture',
  condition: 'good',
  price: 85.5,
  description: 'Sturdy desk from my dorm room, a few scratches on top, easy to take apart.',
  location: 'Parkside, North Building',
  contactEmail: 'seller@usc.edu',
  contactPhone: null,
  photos: [] as string[],
  status: 'published',
  gameDate: null,
};

export type ListingForm = { [Name in keyof DraftListing | 'status']?: unknown } & {
  id?: string;
  clientId?: string;
};

/** Creates or updates a listing through the public API, from a valid form with overridden fields; returns status and body. */
export const submitListingForm = async (testApp: TestApp, person: Person, form: ListingForm = {}) => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: '/functions/v1/create-listing',
    headers: person.headers,
    payload: { ...validListingForm, ...form },
  });
  return { status: response.statusCode, body: response.json() };
};

/**
 * Advances the clock until deleted listings can no longer be restored, then removes these listings with
 * their files.
 */
export const removeDeletedListings = async (testApp: TestApp): Promise<void> => {
  testApp.clock.advance(20);
  await testApp.jobs.repeatNow('remove-missed-deleted-listings');
  await testApp.jobs.runAll();
};

/** Inserts the database row of a photo without storing files; returns the photo's URL. */
export const insertPhoto = async (testApp: TestApp, person: Person, name: string): Promise<string> => {
  const path = `${person.userId}/${name}`;
  const [row] = await testApp.sql`
    INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
    VALUES ('listing-photos', ${path}, ${person.userId}, 1600, 1200, 'abc=', 1000, ${testApp.clock.now()})
    RETURNING url`;
  return row?.url;
};
