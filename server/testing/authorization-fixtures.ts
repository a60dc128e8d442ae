import { randomUUID } from 'node:crypto';
import { toCampusDay } from '#contract/campus.ts';
import { listUnusedObjects } from '#server/features/photos/repository.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import { expectOk, type Person, type TestApp } from './app.ts';
import { validListingForm } from './listings.ts';
import { buildMultipartBody, createTestPhoto, multipartContentType } from './photos.ts';

/**
 * The roles in which tests call a route: not signed in, an uninvolved user, the buyer who wrote to the
 * seller, and the seller.
 */
export const callerRoles = ['visitor', 'stranger', 'other', 'owner'] as const;
export type CallerRole = (typeof callerRoles)[number];

/**
 * A seller's data, and the conversation that a buyer started about one of the seller's listings.
 */
export interface AuthorizationFixtures {
  owner: Pick<Person, 'userId' | 'email'>;
  listing: { id: string; slug: string };
  draft: { id: string; slug: string };
  deleted: { id: string; slug: string };
  /** A listing that its owner marked as sold to the other party. */
  sold: { id: string; slug: string };
  conversation: string;
  /** Id of the buyer's message in the conversation. */
  message: string;
  /** Id of the photo of the buyer's message. */
  messagePhoto: string;
  /** A deal between the buyer and the seller about another listing, which is on hold for the buyer. */
  deal: string;
  /** A message of the buyer in the conversation of `deal`. */
  dealMessage: string;
  /** A completed deal between the buyer and the seller that neither of them has reviewed yet. */
  completedDeal: string;
  /** A contact form that the owner sent. */
  form: string;
  /** A meeting spot. */
  spot: string;
  /** The code of a course, as in its path. */
  course: string;
  savedSearch: string;
  /** A wanted post of the other party. */
  wanted: string;
  /** A session of the owner in another browser. */
  session: string;
  /** An authenticator app that the owner has begun to set up. */
  factor: string;
  /** Path of an uploaded photo that no listing uses. */
  photo: string;
  /** A moderation case about the other party. */
  case: string;
  /** An action of a moderator that has not taken effect yet. */
  pendingAction: string;
  /** A moderator's decision about the owner. */
  decision: string;
  /** Email address without an account, different for each set of fixtures. */
  newcomer: string;
}

export type Actors = Record<Exclude<CallerRole, 'visitor'>, Person>;

/** Signs up one user for each role except the visitor. */
export const createActors = async (testApp: TestApp): Promise<Actors> => ({
  owner: await testApp.signIn({ fullName: 'Olive Owner' }),
  other: await testApp.signIn({ fullName: 'Otto Other' }),
  // The stranger is the only actor whose log-in email address is outside the campus, and therefore the only
  // one who can add a campus email address.
  stranger: await testApp.signIn({ fullName: 'Stella Stranger', email: `${randomUUID()}@home.example` }),
});

const uploadPhoto = async (testApp: TestApp, owner: Person): Promise<string> => {
  const { path } = await expectOk(
    testApp.server.inject({
      method: 'POST',
      url: '/storage/v1/object/listing-photos',
      headers: { ...owner.headers, 'content-type': multipartContentType },
      payload: buildMultipartBody({ bytes: await createTestPhoto() }),
    }),
  );
  return path;
};

/**
 * Returns the path of a photo of an earlier set of fixtures that no listing uses, if there is one. Encoding a
 * new photo takes longer than everything else in a set of fixtures.
 */
const findUnusedPhoto = async ({ sql, clock }: TestApp, { userId }: Person): Promise<string | undefined> => {
  const wanted = { storedBefore: addSeconds(clock.now(), 1), after: '', limit: 1_000 };
  const unused = await listUnusedObjects(sql, wanted);
  return unused.find(({ bucket, path }) => bucket === 'listing-photos' && path.startsWith(`${userId}/`))
    ?.path;
};

/**
 * Removes traces of earlier sets of fixtures, which would count toward the limits on new conversations, open deals,
 * meeting spots and saved searches.
 */
const removeEarlierFixtures = async ({ sql }: TestApp): Promise<void> => {
  await sql`UPDATE conversations SET created_at = created_at - interval '2 days'`;
  await sql`DELETE FROM deals`;
  await sql`DELETE FROM blocks`;
  await sql`DELETE FROM meeting_spots`;
  await sql`DELETE FROM saved_searches`;
  await sql`DELETE FROM wanted_posts`;
};

/** Inserts a completed deal in the conversation of another deal; returns its id. */
const insertCompletedDeal = async (testApp: TestApp, deal: string): Promise<string> => {
  const completedDeal = randomUUID();
  const completedAt = testApp.clock.now();
  await testApp.sql`
    INSERT INTO deals (id, conversation_id, buyer_id, seller_id, kind, state, title, price, place,
      agreed_place, handover_at, created_at, changed_at, completed_at)
    SELECT ${completedDeal}, conversation_id, buyer_id, seller_id, 'sale', 'completed', title, price, 'Plaza', 'Plaza',
      ${completedAt}, ${completedAt}, ${completedAt}, ${completedAt}
    FROM deals WHERE id = ${deal}`;
  return completedDeal;
};

/** Inserts an open case about the other person, one with a pending decision, and one with a decision about the owner. */
const insertCases = async (testApp: TestApp, { owner, other }: Pick<Actors, 'owner' | 'other'>) => {
  const [caseAboutOther, pendingAction, decision] = [randomUUID(), randomUUID(), randomUUID()];
  const now = testApp.clock.now();
  for (const [caseId, person, action, appliedAt] of [
    [caseAboutOther, other, randomUUID(), now],
    [randomUUID(), other, pendingAction, null],
    [randomUUID(), owner, decision, now],
  ] as const) {
    await testApp.sql`
      INSERT INTO private.moderation_cases (id, subject, subject_id, person_id, title, risk, opened_at, updated_at, resolved_at)
      VALUES (${caseId}, 'listing', ${randomUUID()}, ${person.userId}, 'A desk', 2, ${now}, ${now}, ${caseId === caseAboutOther ? null : appliedAt})`;
    await testApp.sql`
      INSERT INTO private.moderation_actions (id, case_id, action, reason, chosen_at, takes_effect_at, applied_at)
      VALUES (${action}, ${caseId}, 'warn', 'Not allowed', ${now}, ${addSeconds(now, 10)}, ${appliedAt})`;
  }
  return { caseAboutOther, pendingAction, decision };
};

/** Adds a photo to a message; returns its id. Its files hold no picture, because encoding one takes long. */
const addMessagePhoto = async (
  { app, sql, clock }: TestApp,
  message: string,
  { userId }: Person,
): Promise<string> => {
  const id = randomUUID();
  const path = `${userId}/${id}.jpg`;
  await app.files.put(`message-photos/${path}`, Buffer.from('photo'), { contentType: 'image/jpeg' });
  await sql`
    INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at, message_id)
    VALUES ('message-photos', ${path}, ${userId}, 40, 30, 'abc=', 5, ${clock.now()}, ${message})`;
  await sql`UPDATE messages SET photos = ${[id]}::uuid[] WHERE id = ${message}`;
  return id;
};

/** Creates the seller's listing, draft, photo and conversation through the public API. */
export const createAuthorizationFixtures = async (
  testApp: TestApp,
  { owner, other }: Actors,
): Promise<AuthorizationFixtures> => {
  const post = (person: Person, url: string, payload: object) =>
    expectOk(testApp.server.inject({ method: 'POST', url, headers: person.headers, payload }));
  const save = async (form: object) =>
    (await post(owner, '/functions/v1/create-listing', { ...validListingForm, ...form })).listing;
  await removeEarlierFixtures(testApp);
  const listing = await save({ contactEmail: 'desk-contact@usc.edu' });
  const draft = await save({
    status: 'draft',
    title: 'A secret draft',
    description: 'What nobody else is to read before it is published.',
    contactEmail: 'draft-contact@usc.edu',
  });
  const deleted = await save({
    title: 'A chair that was just deleted',
    description: 'Deleted a moment ago: nobody may read this sentence again.',
  });
  await expectOk(
    testApp.server.inject({
      method: 'DELETE',
      url: `/rest/v1/me/listings/${deleted.id}`,
      headers: owner.headers,
    }),
  );
  const { id: conversation } = await post(other, '/rest/v1/conversations', { listing_id: listing.id });
  const { id: message } = await post(other, `/rest/v1/conversations/${conversation}/messages`, {
    client_id: randomUUID(),
    message_text: 'Is it still there, between you and me?',
  });
  const messagePhoto = await addMessagePhoto(testApp, message, other);
  const sold = await save({ title: 'A lamp that was sold', contactEmail: 'lamp-contact@usc.edu' });
  await testApp.sql`
    UPDATE listings SET status = 'sold', sold_at = ${testApp.clock.now()}, sold_to = ${other.userId} WHERE id = ${sold.id}`;
  const [otherSession] = await testApp.sql<{ id: string }[]>`
    INSERT INTO private.sessions (user_id, method, created_at, last_used_at)
    VALUES (${owner.userId}, 'password', ${testApp.clock.now()}, ${testApp.clock.now()}) RETURNING id`;
  const { id: factor } = await post(owner, '/auth/v1/factors', { factor_type: 'totp' });
  const forDeal = await save({ title: 'A shelf that is on hold' });
  const started = { client_id: randomUUID(), listing_id: forDeal.id };
  const { id: deal, conversation_id: dealConversation } = await post(other, '/rest/v1/deals', started);
  const { id: dealMessage } = await post(other, `/rest/v1/conversations/${dealConversation}/messages`, {
    client_id: randomUUID(),
    message_text: 'See you there',
  });
  await post(owner, `/rest/v1/deals/${deal}/transitions`, { client_id: randomUUID(), transition: 'accept' });
  const completedDeal = await insertCompletedDeal(testApp, deal);
  const form = randomUUID();
  const content = { name: 'Olive Owner', email: owner.email, topic: 'Other', message: 'Where is my lamp?' };
  await testApp.sql`
    INSERT INTO private.forms (id, kind, email, content, created_at)
    VALUES (${form}, 'contact', ${owner.email}, ${json(content)}, ${testApp.clock.now()})`;
  const spot = randomUUID();
  await testApp.sql`INSERT INTO meeting_spots (id, name) VALUES (${spot}, ${`Gate of ${spot}`})`;
  await testApp.sql`
    INSERT INTO courses (code, title) VALUES ('MATH 100', 'Precalculus') ON CONFLICT DO NOTHING`;
  const { id: savedSearch } = await post(owner, '/rest/v1/me/saved-searches', {
    name: 'A search nobody else may see',
    query: { q: 'a secret wish' },
    alert: 'off',
  });
  const { id: wanted } = await post(other, '/rest/v1/me/wanted', {
    clientId: randomUUID(),
    title: 'Mini fridge',
    category: 'electronics',
    maxPrice: 40,
    until: toCampusDay(testApp.app.config.campus, testApp.clock.now()),
  });
  const { caseAboutOther, pendingAction, decision } = await insertCases(testApp, { owner, other });
  const photo = (await findUnusedPhoto(testApp, owner)) ?? (await uploadPhoto(testApp, owner));
  return {
    owner,
    listing,
    draft,
    deleted,
    sold,
    conversation,
    message,
    messagePhoto,
    deal,
    dealMessage,
    completedDeal,
    form,
    spot,
    course: 'MATH-100',
    savedSearch,
    wanted,
    session: otherSession?.id ?? '',
    factor,
    case: caseAboutOther,
    pendingAction,
    decision,
    photo,
    newcomer: `${randomUUID()}@usc.edu`,
  };
};

/** Returns ids that do not exist. Strangers must get the same responses for these as for real fixtures. */
export const createNonexistentFixtures = (): AuthorizationFixtures => {
  const missingListing = () => ({ id: randomUUID(), slug: `no-such-thing-${randomUUID()}` });
  const userId = randomUUID();
  return {
    owner: { userId, email: `${userId}@usc.edu` },
    listing: missingListing(),
    draft: missingListing(),
    deleted: missingListing(),
    sold: missingListing(),
    conversation: randomUUID(),
    message: randomUUID(),
    messagePhoto: randomUUID(),
    deal: randomUUID(),
    dealMessage: randomUUID(),
    completedDeal: randomUUID(),
    session: randomUUID(),
    factor: randomUUID(),
    form: randomUUID(),
    spot: randomUUID(),
    course: 'NONE-404',
    savedSearch: randomUUID(),
    wanted: randomUUID(),
    case: randomUUID(),
    pendingAction: randomUUID(),
    decision: randomUUID(),
    photo: `${userId}/1772474400000-desk.jpg`,
    newcomer: `${randomUUID()}@usc.edu`,
  };
};

/**
 * Returns a digest of the whole database. Equal digests before and after a request mean that the
 * request changed nothing. Tables that count or record attempts are left out, because rejected
 * attempts change them too.
 */
export const digestDatabase = async ({ sql }: TestApp): Promise<string> => {
  const tables = await sql<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname IN ('public', 'private') AND tablename NOT IN ('rate_limits', 'codes', 'security_events')
    ORDER BY 1`;
  const parts = tables.map(
    ({ name }, position) =>
      // A sum of hashes depends on the rows, but not on their order, so nothing needs to be sorted.
      `SELECT ${position} AS position, count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS digest FROM ${name} t`,
  );
  // Sort by position, because PostgreSQL may run the parts of the UNION in parallel and return their rows in
  // any order.
  return (await sql.query(`${parts.join(' UNION ALL ')} ORDER BY position`))
    .map(({ digest }) => digest)
    .join();
};
