import { randomUUID } from 'node:crypto';
import { expectOk, type Person, type TestApp } from './app.ts';
import { validListingForm } from './listings.ts';
import { drawPhoto, multipartBody, multipartType } from './photos.ts';

/** Roles of a caller: not signed in, an uninvolved user, the buyer who wrote to the seller, and the seller. */
export const roles = ['visitor', 'stranger', 'other', 'owner'] as const;
export type Role = (typeof roles)[number];

/** A seller's data, and the conversation that a buyer started about one of the listings. */
export interface Fixtures {
  owner: Pick<Person, 'userId' | 'email'>;
  listing: { id: string; slug: string };
  draft: { id: string; slug: string };
  conversation: string;
  /** Path of an uploaded photo that no listing uses. */
  photo: string;
  /** Email address without an account, different for each set of fixtures. */
  newcomer: string;
}

export type Actors = Record<Exclude<Role, 'visitor'>, Person>;

/** Signs up one user for each role except the visitor. */
export const createActors = async (server: TestApp): Promise<Actors> => ({
  owner: await server.signIn({ fullName: 'Olive Owner' }),
  other: await server.signIn({ fullName: 'Otto Other' }),
  stranger: await server.signIn({ fullName: 'Stella Stranger' }),
});

/** Creates the seller's listing, draft, photo and conversation through the public API. */
export const createFixtures = async (server: TestApp, { owner, other }: Actors): Promise<Fixtures> => {
  const post = (person: Person, url: string, payload: object) =>
    expectOk(server.app.inject({ method: 'POST', url, headers: person.headers, payload }));
  const save = async (form: object) =>
    (await post(owner, '/functions/v1/create-listing', { ...validListingForm, ...form })).listing;
  const listing = await save({ contactEmail: 'desk-contact@usc.edu' });
  const draft = await save({
    status: 'draft',
    title: 'A secret draft',
    description: 'What nobody else is to read before it is published.',
    contactEmail: 'draft-contact@usc.edu',
  });
  const { id: conversation } = await post(other, '/rest/v1/conversations', { listing_id: listing.id });
  await post(other, `/rest/v1/conversations/${conversation}/messages`, {
    client_id: randomUUID(),
    message_text: 'Is it still there, between you and me?',
  });
  const { path: photo } = await expectOk(
    server.app.inject({
      method: 'POST',
      url: '/storage/v1/object/listing-photos',
      headers: { ...owner.headers, 'content-type': multipartType },
      payload: multipartBody({ bytes: await drawPhoto() }),
    }),
  );
  return { owner, listing, draft, conversation, photo, newcomer: `${randomUUID()}@usc.edu` };
};

/** Returns ids that do not exist. Strangers must get the same responses for these as for real fixtures. */
export const createMissingFixtures = (): Fixtures => {
  const missingListing = () => ({ id: randomUUID(), slug: `no-such-thing-${randomUUID()}` });
  const userId = randomUUID();
  return {
    owner: { userId, email: `${userId}@usc.edu` },
    listing: missingListing(),
    draft: missingListing(),
    conversation: randomUUID(),
    photo: `${userId}/1772474400000-desk.jpg`,
    newcomer: `${randomUUID()}@usc.edu`,
  };
};

/**
 * Returns a digest of the whole database. Equal digests before and after a request mean that it changed nothing. Tables
 * that count attempts are left out, because rejected attempts are counted too.
 */
export const digestDatabase = async ({ sql }: TestApp): Promise<string> => {
  const tables = await sql<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname IN ('public', 'private') AND tablename NOT IN ('rate_limits', 'codes', 'security_events')
    ORDER BY 1`;
  const parts = tables.map(
    ({ name }) =>
      `SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS digest FROM ${name} t`,
  );
  return (await sql.unsafe(parts.join(' UNION ALL '))).map(({ digest }) => digest).join();
};
