import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { maxListedSessions } from '#contract/accounts.ts';
import { allCalls } from '#contract/all-calls.ts';
import { maxBooksOfCourse, maxCourseSuggestions, maxCoursesOfBook } from '#contract/books.ts';
import { conditions } from '#contract/categories.ts';
import { coursePageSize, maxBrokenLines } from '#contract/console-courses.ts';
import { maxFormFields, maxFormReplies, submittedFormPageSize } from '#contract/console-forms.ts';
import { overviewDays, overviewWeeks } from '#contract/console-overview.ts';
import { maxListedPersonSessions, peoplePageSize } from '#contract/console-people.ts';
import { inboxPageSize, messageSchema } from '#contract/conversations.ts';
import { listingChangeLabels, maxProposedTimes } from '#contract/deal-event-lines.ts';
import {
  dealPageSize,
  maxFurtherDeals,
  maxListedHandovers,
  maxListedReservedPeriods,
  maxListedWaitingDeals,
} from '#contract/deals.ts';
import { maxFoundMessages } from '#contract/inbox.ts';
import { maxMeetingSpots } from '#contract/meeting-spots.ts';
import {
  caseActions,
  casePageSize,
  maxActionsShownPerCase,
  maxDecisionsShownToPerson,
  maxQuotesShownPerCase,
  maxReportsShownPerCase,
  moderationSignalKinds,
} from '#contract/moderation.ts';
import { maxShownQuestions } from '#contract/notifications.ts';
import {
  blockedPeoplePageSize,
  maxBlockedPeople,
  maxExactNewMatchCount,
  maxSavedListings,
  maxSavedSearches,
  maxSimilarMatches,
  maxTitleSuggestionsPerSeller,
  notificationPageSize,
  savedListingPageSize,
  wantedPageSize,
} from '#contract/paging.ts';
import { maxPhotosPerListing, maxPhotosPerMessage } from '#contract/photos.ts';
import { maxDisplayedPushNotifications, maxPushDevices } from '#contract/push.ts';
import { unreadEventSchema, userTopicReplySchema } from '#contract/realtime.ts';
import { maxRentalPhotosPerStep, rentalPhotoSteps } from '#contract/rental-photos.ts';
import { quotedMessagesPerSide, reportReasons } from '#contract/reports.ts';
import { reviewPageSize, reviewTags } from '#contract/reviews.ts';
import { maxGames } from '#contract/schedule.ts';
import { maxRecipientCandidates } from '#contract/selling.ts';
import { createDealEventLine } from '#contract/testing.ts';
import { maxListingsToAnswerWith } from '#contract/wanted.ts';
import { maxOwnWantedPosts } from '#server/features/wanted/wanted-posts.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertOversizedModerationCase } from '#server/testing/cases.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { insertPhoto } from '#server/testing/listings.ts';

type CallName = keyof typeof allCalls;

const getPhotoArrayLimits = (listing: string) => ({
  [`${listing}.photos`]: maxPhotosPerListing,
  [`${listing}.images`]: maxPhotosPerListing,
});

/**
 * Maximum number of transitions that one party can choose from while an item is on hold. The maximum is
 * reached when a meeting time in the near future is agreed and the other party suggests a new one.
 */
const maxTransitionsOfHold = 7;

const getDealArrayLimits = (deal: string) => ({
  [`${deal}transitions`]: maxTransitionsOfHold,
  [`${deal}handover.proposal.times`]: maxProposedTimes,
});

const getLineArrayLimits = (data: string) => ({
  [`${data}.times`]: maxProposedTimes,
  [`${data}.listing_changes`]: Object.keys(listingChangeLabels).length,
});

const caseArrayLimits = {
  reasons: reportReasons.length,
  signals: moderationSignalKinds.length,
  quotes: maxQuotesShownPerCase,
  'quotes[].content.messages': 2 * quotedMessagesPerSide + 1,
  reports: maxReportsShownPerCase,
  signal_details: moderationSignalKinds.length,
  'listing.photos': maxPhotosPerListing,
  actions: maxActionsShownPerCase,
  possible_actions: caseActions.length,
};

/** Maximum length of each array in a call's output, by path. The data export is streamed and has no maximum. */
const maxArrayLengths: Partial<Record<CallName, Record<string, number> | 'streamed'>> = {
  downloadMyData: 'streamed',
  listPeople: { items: peoplePageSize },
  listCases: {
    items: casePageSize,
    'items[].reasons': reportReasons.length,
    'items[].signals': moderationSignalKinds.length,
  },
  getCase: caseArrayLimits,
  assignCase: caseArrayLimits,
  listDecisions: { items: maxDecisionsShownToPerson },
  createPerson: { session_list: maxListedPersonSessions },
  getPerson: { session_list: maxListedPersonSessions },
  actOnPerson: { session_list: maxListedPersonSessions },
  listForms: { items: submittedFormPageSize },
  getForm: { fields: maxFormFields, answers: maxFormReplies },
  changeForm: { fields: maxFormFields, answers: maxFormReplies },
  answerForm: { fields: maxFormFields, answers: maxFormReplies },
  listConsoleSpots: { items: maxMeetingSpots },
  addSpot: { items: maxMeetingSpots },
  changeSpot: { items: maxMeetingSpots },
  confirmSpot: { items: maxMeetingSpots },
  removeSpot: { items: maxMeetingSpots },
  listConsoleCourses: { items: coursePageSize },
  importCourses: { examples: maxBrokenLines },
  getOverview: { days: overviewDays, weeks: overviewWeeks },
  listListings: { items: 100 },
  listSimilarMatches: { items: maxSimilarMatches },
  suggestListings: { items: maxTitleSuggestionsPerSeller },
  getListing: {
    photos: maxPhotosPerListing,
    images: maxPhotosPerListing,
    taken_days: maxListedReservedPeriods,
  },
  listSimilar: { items: 4 },
  getListingBook: { 'copies.conditions': conditions.length, courses: maxCoursesOfBook },
  suggestCourses: { items: maxCourseSuggestions },
  getCourse: { books: maxBooksOfCourse },
  createListing: getPhotoArrayLimits('listing'),
  listMyListings: { items: 500, ...getPhotoArrayLimits('items[]') },
  getMyListing: { photos: maxPhotosPerListing, images: maxPhotosPerListing },
  setListingStatus: { photos: maxPhotosPerListing, images: maxPhotosPerListing },
  changeListingPrice: { photos: maxPhotosPerListing, images: maxPhotosPerListing },
  restoreListing: { photos: maxPhotosPerListing, images: maxPhotosPerListing },
  markListingSold: { photos: maxPhotosPerListing, images: maxPhotosPerListing },
  answerAvailability: { photos: maxPhotosPerListing, images: maxPhotosPerListing },
  relistListing: { photos: maxPhotosPerListing, images: maxPhotosPerListing },
  listInterestedPeople: { items: maxRecipientCandidates },
  listMeetingSpots: { items: maxMeetingSpots },
  listGames: { items: maxGames },
  listConversations: {
    items: inboxPageSize,
    'items[].found': maxFoundMessages,
    ...getLineArrayLimits('items[].last_message.data'),
  },
  openConversation: getLineArrayLimits('last_message.data'),
  findConversation: getLineArrayLimits('conversation.last_message.data'),
  getConversation: getLineArrayLimits('last_message.data'),
  changeConversation: getLineArrayLimits('last_message.data'),
  listMessages: {
    items: 500,
    'items[].photos': maxPhotosPerMessage,
    ...getLineArrayLimits('items[].data'),
    unsent: 500,
    'unsent[].photos': maxPhotosPerMessage,
    ...getLineArrayLimits('unsent[].data'),
  },
  sendMessage: { photos: maxPhotosPerMessage, ...getLineArrayLimits('data') },
  unsendMessage: { photos: maxPhotosPerMessage, ...getLineArrayLimits('data') },
  listSavedListings: { items: savedListingPageSize },
  listBlocks: { items: blockedPeoplePageSize },
  listBlockedIds: { user_ids: maxBlockedPeople },
  listSavedIds: { listing_ids: maxSavedListings },
  saveListings: { listing_ids: maxSavedListings },
  listSavedSearches: { items: maxSavedSearches },
  changeSavedSearch: { new_listing_ids: maxExactNewMatchCount },
  listWantedPosts: { items: wantedPageSize },
  listMyWantedPosts: { items: maxOwnWantedPosts },
  listListingsToAnswerWith: { items: maxListingsToAnswerWith },
  listNotifications: { items: notificationPageSize, 'items[].questions': maxShownQuestions },
  listPushSubscriptions: { items: maxPushDevices },
  checkShownPushes: { is_unread: maxDisplayedPushNotifications },
  listSessions: { items: maxListedSessions },
  listUserReviews: { items: reviewPageSize, 'items[].tags': reviewTags.length },
  getDealReviews: { 'own.tags': reviewTags.length, 'other.tags': reviewTags.length },
  reviewDeal: { 'own.tags': reviewTags.length, 'other.tags': reviewTags.length },
  startDeal: getDealArrayLimits(''),
  makeDealTransition: {
    ...getDealArrayLimits(''),
    also_for: maxFurtherDeals,
    ...getDealArrayLimits('also_for[].'),
    skipped: maxFurtherDeals,
    ...getDealArrayLimits('skipped[].'),
  },
  getDeal: getDealArrayLimits(''),
  // Photos of both parties, for each step.
  listRentalPhotos: { items: maxRentalPhotosPerStep * rentalPhotoSteps.length * 2 },
  addRentalPhotos: { photos: maxPhotosPerMessage, ...getLineArrayLimits('data') },
  removeRentalPhotos: { photos: maxPhotosPerMessage, ...getLineArrayLimits('data') },
  findListingDeal: { taken_days: maxListedReservedPeriods, ...getDealArrayLimits('deal.') },
  listDeals: { items: dealPageSize, ...getDealArrayLimits('items[].') },
  listHandovers: { items: maxListedHandovers, ...getDealArrayLimits('items[].') },
  listDealsOfListing: { items: maxListedWaitingDeals, ...getDealArrayLimits('items[].') },
};

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  type?: string;
  maxItems?: number;
  additionalProperties?: unknown;
}

/** Returns the paths of all arrays in a schema that may contain items, such as `items[].photos`. */
const findArrayPaths = (schema: JsonSchema, path = ''): string[] => [
  ...(schema.type === 'array' && schema.maxItems !== 0
    ? [path, ...findArrayPaths(schema.items ?? {}, `${path}[]`)]
    : []),
  ...(schema.anyOf ?? schema.oneOf ?? []).flatMap((option) => findArrayPaths(option, path)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    findArrayPaths(part, path ? `${path}.${name}` : name),
  ),
];

const toJsonSchema = (output: z.ZodType) => z.toJSONSchema(output, { unrepresentable: 'any' }) as JsonSchema;

test('promise 55: every array that a call returns has a maximum length', () => {
  for (const [name, { output }] of Object.entries(allCalls)) {
    const maxLength = maxArrayLengths[name as CallName];
    if (maxLength === 'streamed') continue;
    expect(Object.keys(maxLength ?? {}).sort(), name).toEqual(findArrayPaths(toJsonSchema(output)).sort());
  }
});

/** Calls that need no paging, because every list that they return has a fixed maximum length. */
const unpagedCalls = [
  'suggestListings',
  'listSimilarMatches',
  'listSimilar',
  'suggestCourses',
  'listInterestedPeople',
  'listSavedSearches',
  'listMyWantedPosts',
  'listListingsToAnswerWith',
  'listPushSubscriptions',
  'listSessions',
  'listDealsOfListing',
  'listHandovers',
  'listRentalPhotos',
  'listMeetingSpots',
  'listGames',
  'listDecisions',
  'listConsoleSpots',
  'addSpot',
  'changeSpot',
  'confirmSpot',
  'removeSpot',
];

test('promise 55: every list that can grow is paged', () => {
  for (const [name, call] of Object.entries(allCalls)) {
    const { output, query }: { output: z.ZodType; query?: z.ZodType } = call;
    const fields = Object.keys(toJsonSchema(output).properties ?? {});
    if (!fields.includes('items') || unpagedCalls.includes(name)) continue;
    const paged = fields.includes('next_cursor') ? ['cursor'] : ['after_seq', 'before_seq'];
    expect(Object.keys(toJsonSchema(query ?? z.object({})).properties ?? {}), name).toEqual(
      expect.arrayContaining(paged),
    );
    expect(fields, name).toContain(fields.includes('next_cursor') ? 'next_cursor' : 'more');
  }
});

test('promise 55: socket events contain no lists that grow; each message is a separate frame', () => {
  for (const schema of [unreadEventSchema, userTopicReplySchema])
    expect(findArrayPaths(toJsonSchema(schema))).toEqual([]);
  // The only arrays are the photos of a message, at most `maxPhotosPerMessage`, and in messages about deals the suggested
  // times, at most `maxProposedTimes`, and the changed fields of a listing.
  expect(findArrayPaths(toJsonSchema(messageSchema))).toEqual([
    'photos',
    'data.times',
    'data.listing_changes',
  ]);
});

const rowCount = 620;

describe('with more rows than any page or array may contain', () => {
  let testApp: TestApp;
  let owner: Person;
  let buyer: Person;
  let administrator: Person;
  let caseId: string;
  let form: string;
  let wanted: string;
  let conversation: string;
  let slug: string;
  let listing: string;
  let deal: string;

  beforeAll(async () => {
    testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
    [owner, buyer] = [await testApp.signIn(), await testApp.signIn()];
    administrator = await signInToConsole(testApp, 'administrator');
    const urls = await Promise.all(
      Array.from({ length: maxPhotosPerListing }, (_, index) => insertPhoto(testApp, owner, `${index}.jpg`)),
    );
    const now = testApp.clock.now();
    const rows = await testApp.sql<{ id: string; slug: string }[]>`
      INSERT INTO listings (slug, user_id, title, description, price, photos, category, condition, location, status,
        contact_email, created_at, updated_at, published_at)
      SELECT 'desk-' || n, ${owner.userId}, 'Solid oak desk no. ' || n, repeat('Sturdy. ', 10), 10, ${urls},
        'rentals', 'good', 'Village', 'published', 'seller@usc.edu', ${now}, ${now}, ${now}
      FROM generate_series(1, ${rowCount}::int) AS n RETURNING id, slug`;
    [{ id: listing = '', slug = '' } = {}] = rows;
    await testApp.sql`
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at, last_seq)
      SELECT id, title, ${buyer.userId}, ${owner.userId}, created_at, created_at, 1 FROM listings`;
    const [first] = await testApp.sql<{ id: string }[]>`
      UPDATE conversations SET last_seq = ${rowCount}, updated_at = ${addSeconds(now, 1)} WHERE listing_id = ${listing} RETURNING id`;
    conversation = first?.id ?? '';
    const times = Array.from({ length: maxProposedTimes }, () => now.toISOString());
    // A real message about a deal has suggested times or changed fields of a listing. This one has both, so
    // that the test measures both arrays.
    const line = {
      ...createDealEventLine({ transition: 'propose_handover', state: 'held', times }),
      listing_changes: Object.keys(listingChangeLabels).map((field) => ({
        field,
        before: null,
        after: null,
      })),
    };
    await testApp.sql`
      WITH people AS (
        INSERT INTO users (email, full_name, created_at, updated_at)
        SELECT 'buyer-' || n || '@usc.edu', 'Buyer ' || n, ${now}, ${now} FROM generate_series(1, 60) AS n RETURNING id
      ), credentials AS (
        INSERT INTO private.credentials (user_id, updated_at) SELECT id, ${now} FROM people
      )
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at, last_seq)
      SELECT ${listing}, 'Solid oak desk', people.id, NULL, ${now}, ${now}, 1 FROM people`;
    const photos = Array.from({ length: maxPhotosPerMessage }, () => randomUUID());
    await testApp.sql`
      INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at)
      SELECT 'message-photos', ${buyer.userId} || '/' || id || '.jpg', ${buyer.userId}, 40, 30, 'abc=', 1, ${now}
      FROM unnest(${photos}::uuid[]) AS id`;
    await testApp.sql`
      INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at, kind, data, photos, unsent_number)
      SELECT ${conversation}, n, ${buyer.userId}, gen_random_uuid(), 'About the desk', ${now},
        CASE WHEN is_text THEN 'text' ELSE 'deal' END, CASE WHEN NOT is_text THEN ${json(line)}::jsonb END,
        CASE WHEN NOT is_text THEN ${photos}::uuid[] END, CASE WHEN NOT is_text THEN n END
      FROM generate_series(1, ${rowCount}::int) AS n, LATERAL (SELECT n BETWEEN 2 AND 6 AS is_text) AS kind`;
    // Backdate the blocked people. They have no credentials, and the list of people omits people without
    // credentials; if they were among the newest people, the list would be too short.
    const longAgo = addSeconds(now, -3600);
    await testApp.sql`
      WITH people AS (
        INSERT INTO users (email, created_at, updated_at)
        SELECT 'blocked-' || n || '@usc.edu', ${longAgo}, ${longAgo} FROM generate_series(1, ${maxBlockedPeople}::int) AS n RETURNING id
      )
      INSERT INTO blocks (user_id, blocked_id, created_at) SELECT ${owner.userId}, id, ${now} FROM people`;
    await testApp.sql`
      INSERT INTO saved_listings (user_id, listing_id, title, price, rental_period, saved_at)
      SELECT ${owner.userId}, id, title, price, rental_period, ${now} FROM listings LIMIT ${maxSavedListings}`;
    await testApp.sql`
      INSERT INTO saved_searches (user_id, name, query, lowered_text, text_key, alert, created_at, visited_at)
      SELECT ${owner.userId}, 'Desk ' || n, jsonb_build_object('q', n::text), n::text, n::text, 'off', ${now}, ${now}
      FROM generate_series(1, ${maxSavedSearches}::int) AS n`;
    await testApp.sql`
      INSERT INTO wanted_posts (user_id, client_id, title, category, words, isbns, text_key, until, created_at, updated_at)
      SELECT ${owner.userId}, gen_random_uuid(), 'A desk', 'furniture', '{desk}', '{NULL}', 'des', '2030-01-01', ${now}, ${now}
      FROM generate_series(1, ${rowCount}::int)`;
    [{ id: wanted = '' } = {}] = await testApp.sql<{ id: string }[]>`
      INSERT INTO wanted_posts (user_id, client_id, title, category, words, isbns, text_key, until, created_at, updated_at)
      VALUES (${buyer.userId}, gen_random_uuid(), 'A desk', 'furniture', '{desk}', '{NULL}', 'des', '2030-01-01', ${now}, ${now})
      RETURNING id`;
    await testApp.sql`
      INSERT INTO notifications (user_id, kind, event, subject_id, facts, job_id, created_at)
      SELECT ${owner.userId}, 'availability', 'availability_asked', gen_random_uuid(),
        jsonb_build_object('asked_at', ${now}::timestamptz, 'listing_ids', asked.ids), gen_random_uuid(), ${now}
      FROM generate_series(1, ${rowCount}::int), (
        SELECT array_agg(id) AS ids
        FROM (SELECT id FROM listings WHERE user_id = ${owner.userId} LIMIT ${maxShownQuestions + 1}) AS own) AS asked`;
    await testApp.sql`
      WITH sessions AS (
        INSERT INTO private.sessions (user_id, method, created_at, last_used_at)
        SELECT ${owner.userId}, 'password', ${now}, ${now} FROM generate_series(1, ${rowCount}::int) RETURNING id
      )
      INSERT INTO private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, device_name, created_at)
      SELECT ${owner.userId}, id, 'https://push.test/' || id, 'key', 'auth', 'Browser', ${now} FROM sessions`;
    await testApp.sql`
      INSERT INTO meeting_spots (name) SELECT 'Gate ' || n FROM generate_series(1, ${rowCount}::int) AS n`;
    await testApp.sql`
      INSERT INTO games (day, name) SELECT '2030-01-01', 'Game ' || n FROM generate_series(1, ${maxGames + 1}::int) AS n`;
    await testApp.sql`
      UPDATE listings SET isbn = '9780306406157', course = 'MATH 1',
        condition = (ARRAY['new', 'like-new', 'good', 'fair'])[1 + substr(slug, 6)::int % 4]`;
    await testApp.sql`
      INSERT INTO courses (code, title) SELECT 'MATH ' || n, 'Calculus' FROM generate_series(1, ${rowCount}::int) AS n`;
    await testApp.sql`
      INSERT INTO course_books (course, isbn) SELECT code, '9780306406157' FROM courses
      UNION SELECT 'MATH 1', n::text FROM generate_series(1, ${rowCount}::int) AS n`;
    const content = Object.fromEntries(
      Array.from({ length: maxFormFields }, (_, n) => [`field_${n}`, 'value']),
    );
    [{ id: form = '' } = {}] = await testApp.sql<{ id: string }[]>`
      INSERT INTO private.forms (kind, email, content, created_at)
      SELECT 'contact', 'ada@usc.edu', ${json(content)}, ${now}
      FROM generate_series(1, ${rowCount}::int) RETURNING id`;
    await testApp.sql`
      INSERT INTO private.form_answers (id, form_id, answer_text, created_at)
      SELECT gen_random_uuid(), ${form}, 'Thank you', ${now} FROM generate_series(1, ${maxFormReplies}::int)`;
    const handover = addSeconds(now, -20 * 60);
    // Every deal gets its own time, so that the order of the lists does not depend on random ids.
    [{ id: deal = '' } = {}] = await testApp.sql<{ id: string }[]>`
      INSERT INTO deals (listing_id, conversation_id, seller_id, kind, state, title, price, first_day, last_day, place,
        proposed_times, handover_proposed_by, handover_at, created_at, changed_at)
      SELECT ${listing}, ${conversation}, ${owner.userId}, 'rental', 'held', 'Solid oak desk', 10,
        '2026-03-10'::date + n::int, '2026-03-10'::date + n::int, 'The fountain',
        ${Array.from({ length: maxProposedTimes }, () => now)}, 'buyer', ${handover},
        ${now}::timestamptz - n * interval '1 second', ${now}
      FROM generate_series(1, ${rowCount}::int) AS n RETURNING id`;
    await testApp.sql`
      INSERT INTO private.objects (bucket, path, owner_id, width, height, thumbhash, bytes, created_at, message_id, deal_id, deal_step)
      SELECT 'message-photos', person || '/' || gen_random_uuid() || '.jpg', person, 40, 30, 'abc=', 1, ${now},
        (SELECT id FROM messages WHERE conversation_id = ${conversation} AND kind = 'text' LIMIT 1), ${deal}, step
      FROM unnest(${[owner.userId, buyer.userId]}::uuid[]) AS person, unnest(${[...rentalPhotoSteps]}::text[]) AS step,
        generate_series(1, ${maxRentalPhotosPerStep}::int)`;
    // Choose a deal from the middle of the lists. In this deal the seller suggested the time, so the seller
    // has one transition fewer than in the other deals. The test checks the number of transitions only in the
    // first deal of each list.
    await testApp.sql`
      UPDATE deals SET buyer_id = ${buyer.userId}, handover_proposed_by = 'seller'
      WHERE id = (SELECT id FROM deals WHERE id <> ${deal} ORDER BY created_at LIMIT 1 OFFSET 1)`;
    await testApp.sql`
      INSERT INTO reviews (deal_id, author_party, author_id, author_key, subject_id, rating, tags, review_text, public_at,
        created_at, updated_at)
      SELECT CASE WHEN n <= 2 THEN ${deal}::uuid END, CASE n WHEN 1 THEN 'seller' ELSE 'buyer' END,
        CASE n WHEN 1 THEN ${owner.userId}::uuid END, gen_random_uuid(),
        CASE n WHEN 1 THEN ${buyer.userId}::uuid ELSE ${owner.userId}::uuid END, 5, ${[...reviewTags]}, 'Friendly', ${now},
        ${now}, ${now}
      FROM generate_series(1, ${rowCount + 1}::int) AS n`;
    caseId = await insertOversizedModerationCase(testApp, owner);
  });
  afterAll(() => testApp.close());

  const get = async (url: string) => {
    const reader = url.includes('/moderation/') ? administrator : url.includes('/about/') ? buyer : owner;
    const { statusCode, body } = await testApp.server.inject({ url, headers: reader.headers });
    expect(statusCode, url).toBe(200);
    return body;
  };

  /** Returns, by call, URLs that request as many list elements as the call allows. */
  const requests = (): Partial<Record<CallName, string>> => ({
    listPeople: '/rest/v1/moderation/people',
    listCases: '/rest/v1/moderation/cases',
    getCase: `/rest/v1/moderation/cases/${caseId}`,
    listDecisions: '/rest/v1/me/decisions',
    getPerson: `/rest/v1/moderation/people/${owner.userId}`,
    listForms: '/rest/v1/moderation/forms',
    getForm: `/rest/v1/moderation/forms/${form}`,
    listConsoleSpots: '/rest/v1/moderation/spots',
    listConsoleCourses: '/rest/v1/moderation/courses',
    getOverview: '/rest/v1/moderation/overview',
    listListings: '/rest/v1/listings?limit=100',
    listSimilarMatches: '/rest/v1/listings/similar-matches?q=desks',
    suggestListings: '/rest/v1/listings/suggestions?q=desk&per_seller=true',
    getListing: `/rest/v1/listings/${slug}`,
    listSimilar: `/rest/v1/listings/${slug}/similar`,
    getListingBook: `/rest/v1/listings/${slug}/book`,
    suggestCourses: '/rest/v1/courses?q=math',
    getCourse: '/rest/v1/courses/MATH-1',
    listMyListings: '/rest/v1/me/listings?limit=500',
    getMyListing: `/rest/v1/me/listings/${listing}`,
    listInterestedPeople: `/rest/v1/me/listings/${listing}/people`,
    listConversations: '/rest/v1/conversations?q=desk',
    findConversation: `/rest/v1/conversations/about/${listing}`,
    getConversation: `/rest/v1/conversations/${conversation}`,
    listMessages: `/rest/v1/conversations/${conversation}/messages?limit=500&after_seq=0&after_unsent=0`,
    listNotifications: '/rest/v1/notifications',
    listPushSubscriptions: '/rest/v1/me/push-subscriptions',
    listBlocks: '/rest/v1/me/blocks',
    listBlockedIds: '/rest/v1/me/blocks/ids',
    listSessions: '/rest/v1/me/sessions',
    listSavedListings: '/rest/v1/me/saved-listings',
    listSavedIds: '/rest/v1/me/saved-listings/ids',
    listSavedSearches: '/rest/v1/me/saved-searches',
    listWantedPosts: '/rest/v1/wanted',
    listMyWantedPosts: '/rest/v1/me/wanted',
    listListingsToAnswerWith: `/rest/v1/wanted/${wanted}/listings`,
    listMeetingSpots: '/rest/v1/meeting-spots',
    listGames: '/rest/v1/games',
    listUserReviews: `/rest/v1/users/${owner.userId}/reviews`,
    getDealReviews: `/rest/v1/deals/${deal}/review`,
    listDeals: '/rest/v1/deals',
    getDeal: `/rest/v1/deals/${deal}`,
    listRentalPhotos: `/rest/v1/deals/${deal}/photos`,
    findListingDeal: `/rest/v1/deals/about/${listing}`,
    listHandovers: '/rest/v1/me/handovers',
    listDealsOfListing: `/rest/v1/me/listings/${listing}/deals`,
  });

  /**
   * Returns the length of the array at a path such as `items[].photos`, in which `[]` stands for
   * the first element.
   */
  const measureArray = (value: unknown, path: string): number => {
    let part = value;
    for (const step of path.split('.')) {
      part = (part as Record<string, unknown>)[step.replace('[]', '')];
      if (step.endsWith('[]')) part = (part as unknown[])[0];
    }
    return (part as unknown[]).length;
  };

  test('promise 55: every call that reads lists returns exactly its maximum number of elements', async () => {
    const boundedReads = Object.entries(maxArrayLengths).filter(([name, maxLength]) => {
      const { method } = allCalls[name as CallName];
      return method === 'GET' && maxLength !== 'streamed';
    });
    expect(Object.keys(requests()).sort()).toEqual(boundedReads.map(([name]) => name).sort());
    for (const [name, maxLength] of boundedReads) {
      const body = JSON.parse(await get(requests()[name as CallName] ?? ''));
      for (const [path, most] of Object.entries(maxLength))
        expect(measureArray(body, path), `${name} ${path}`).toBe(most);
    }
  });

  test.each([
    '/rest/v1/listings?limit=100',
    '/rest/v1/me/listings?limit=500',
    '/rest/v1/conversations?',
    '/rest/v1/deals?',
    'reviews?',
  ])('promise 55: %s can be read to its end page by page', async (path) => {
    const url = path === 'reviews?' ? `/rest/v1/users/${owner.userId}/reviews?` : path;
    const ids = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: { id: string }[]; next_cursor: string | null } = JSON.parse(
        await get(cursor === '' ? url : `${url}&cursor=${cursor}`),
      );
      for (const { id } of page.items) ids.add(id);
      cursor = page.next_cursor;
    }
    expect(ids.size).toBe(rowCount);
  });

  test('promise 55: requests for larger pages are refused', async () => {
    for (const url of [
      '/rest/v1/listings?limit=101',
      '/rest/v1/me/listings?limit=501',
      `/rest/v1/conversations/${conversation}/messages?limit=501`,
    ]) {
      const { statusCode } = await testApp.server.inject({ url, headers: owner.headers });
      expect(statusCode, url).toBe(400);
    }
  });

  test.each([
    ['/', 8],
    ['/category/rentals', 24],
    ['/search?q=desk', 24],
  ])('promise 55: the page %s shows %i listings, however many there are', async (url, shown) => {
    const slugs = new Set((await get(url)).match(/href="\/product\/[^"]+/g));
    expect(slugs.size).toBe(shown);
  });

  test('promise 55: the page of a listing shows four similar ones', async () => {
    const slugs = new Set((await get(`/listing/${slug}`)).match(/href="\/product\/[^"]+/g));
    expect(slugs.size).toBe(4);
  });
});
