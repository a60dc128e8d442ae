import { randomUUID } from 'node:crypto';
import { insist, type Person, type TestApp } from './app.ts';
import { goodListing } from './listings.ts';
import { drawPhoto, multipartBody, multipartType } from './photos.ts';

/** Who asks: nobody signed in, the seller, the buyer who wrote to them, somebody else. */
export const roles = ['visitor', 'stranger', 'other', 'owner'] as const;
export type Role = (typeof roles)[number];

/** What is on stage: a seller's things, and the conversation a buyer opened about one of them. */
export interface Fixtures {
  owner: Pick<Person, 'userId' | 'email'>;
  listing: { id: string; slug: string };
  draft: { id: string; slug: string };
  conversation: string;
  /** Path of an uploaded photo that no listing shows. */
  photo: string;
  /** An address without an account, a new one for each stage. */
  newcomer: string;
}

export type Actors = Record<Exclude<Role, 'visitor'>, Person>;

export const createActors = async (server: TestApp): Promise<Actors> => ({
  owner: await server.signIn({ fullName: 'Olive Owner' }),
  other: await server.signIn({ fullName: 'Otto Other' }),
  stranger: await server.signIn({ fullName: 'Stella Stranger' }),
});

/** Sets the stage through the public calls, as people would. */
export const createFixtures = async (server: TestApp, { owner, other }: Actors): Promise<Fixtures> => {
  const ask = (person: Person, url: string, payload: object) =>
    insist(server.app.inject({ method: 'POST', url, headers: person.headers, payload }));
  const save = async (form: object) =>
    (await ask(owner, '/functions/v1/create-listing', { ...goodListing, ...form })).listing;
  const listing = await save({ contactEmail: 'desk-contact@usc.edu' });
  const draft = await save({
    status: 'draft',
    title: 'A secret draft',
    description: 'What nobody else is to read before it is published.',
    contactEmail: 'draft-contact@usc.edu',
  });
  const { id: conversation } = await ask(other, '/rest/v1/conversations', { listing_id: listing.id });
  await ask(other, `/rest/v1/conversations/${conversation}/messages`, {
    client_id: randomUUID(),
    message_text: 'Is it still there, between you and me?',
  });
  const { path: photo } = await insist(
    server.app.inject({
      method: 'POST',
      url: '/storage/v1/object/listing-photos',
      headers: { ...owner.headers, 'content-type': multipartType },
      payload: multipartBody({ bytes: await drawPhoto() }),
    }),
  );
  return { owner, listing, draft, conversation, photo, newcomer: `${randomUUID()}@usc.edu` };
};

/** The same stage with nothing on it: what strangers are told must not differ from what is told of this. */
export const removeFixtures = (): Fixtures => {
  const thing = () => ({ id: randomUUID(), slug: `no-such-thing-${randomUUID()}` });
  const userId = randomUUID();
  return {
    owner: { userId, email: `${userId}@usc.edu` },
    listing: thing(),
    draft: thing(),
    conversation: randomUUID(),
    photo: `${userId}/1772474400000-desk.jpg`,
    newcomer: `${randomUUID()}@usc.edu`,
  };
};

/**
 * Everything the database holds, as one digest: the same before and after means that nothing was changed. Counters
 * of tries are left out, since a refused try is counted.
 */
export const digestOf = async ({ sql }: TestApp): Promise<string> => {
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
