import { randomUUID } from 'node:crypto';
import { jobApplicationPath } from '#contract/forms.ts';
import { testPassword } from './app.ts';
import type { AuthorizationFixtures, CallerRole } from './authorization-fixtures.ts';
import { validListingForm } from './listings.ts';
import { createTestPushSubscription } from './push-service.ts';

/**
 * The variable parts of a request; its method and path are in the row's key in
 * `authorizationTable`.
 */
export interface RequestParts {
  params?: Record<string, string>;
  query?: string;
  body?: object;
  /** Content of a multipart body: its form fields. `file: true` adds a photo. */
  multipart?: { fields?: Record<string, string>; file?: boolean };
}

export interface AuthorizationRow {
  status: Record<CallerRole, number>;
  request: (fixtures: AuthorizationFixtures) => RequestParts;
  /**
   * Whether a successful request ends the actors' sessions, deletes their accounts or makes them unavailable, so that
   * later requests cannot use them.
   */
  final?: boolean;
}

type MakeRequest = (fixtures: AuthorizationFixtures) => RequestParts;
const makeEmptyRequest: MakeRequest = () => ({});

/** Returns a row with the expected HTTP status for each role. */
const expectPerRole = (
  visitor: number,
  stranger: number,
  other: number,
  owner: number,
  request = makeEmptyRequest,
): AuthorizationRow => ({
  status: { visitor, stranger, other, owner },
  request,
});
/** Returns a row for a request with the same expected status for every role. */
const expectForAllRoles = (status: number, request = makeEmptyRequest): AuthorizationRow =>
  expectPerRole(status, status, status, status, request);
/**
 * Returns a row for a request that needs a session and affects only the caller. Visitors get 401; all other
 * roles get `status`.
 */
const expectForSignedIn = (status: number, request = makeEmptyRequest): AuthorizationRow =>
  expectPerRole(401, status, status, status, request);

const buildRequestWithParams =
  (params: (fixtures: AuthorizationFixtures) => Record<string, string>, body?: object): MakeRequest =>
  (fixtures) => ({ params: params(fixtures), ...(body ? { body } : {}) });
const getListingParams = (fixtures: AuthorizationFixtures) => ({ id: fixtures.listing.id });
const getDraftParams = (fixtures: AuthorizationFixtures) => ({ id: fixtures.draft.id });
const getSoldParams = (fixtures: AuthorizationFixtures) => ({ id: fixtures.sold.id });
const getDeletedParams = (fixtures: AuthorizationFixtures) => ({ id: fixtures.deleted.id });
const getListingSlugParams = (fixtures: AuthorizationFixtures) => ({ slug: fixtures.listing.slug });
const getDraftSlugParams = (fixtures: AuthorizationFixtures) => ({ slug: fixtures.draft.slug });
const getConversationParams = (fixtures: AuthorizationFixtures) => ({ id: fixtures.conversation });
const getFactorParams = (fixtures: AuthorizationFixtures) => ({ id: fixtures.factor });
const getPhotoParams = (fixtures: AuthorizationFixtures) => ({
  bucket: 'listing-photos',
  '*': fixtures.photo,
});
const wrongPassword = 'not-their-password-1';
const wantedForm = { title: 'A desk lamp', category: 'furniture', maxPrice: 20, until: '2026-03-02' };
const emailBody = { email: 'someone@usc.edu' };

/**
 * The authorization table: every route with the expected status for a visitor, a stranger, the other party (the buyer
 * who wrote about the listing) and the owner (its seller). Text in parentheses distinguishes several rows of a route.
 * The rows run in this order and with the same people, so a row sees what earlier rows created for them. After each
 * request of a row marked `final`, new people replace them.
 */
export const authorizationTable: Record<string, AuthorizationRow> = {
  // Expected statuses of routes about accounts. These calls need no session, so the status is the same for
  // every role.
  'POST /functions/v1/signup': expectForAllRoles(200, ({ newcomer }) => ({
    body: { email: newcomer, password: 'a-new-password-1', fullName: 'Nina Newcomer' },
  })),
  'POST /functions/v1/signup (an address that has an account)': expectForAllRoles(409, ({ owner }) => ({
    body: { email: owner.email, password: wrongPassword, fullName: 'Someone else' },
  })),
  'POST /functions/v1/send-verification-code': expectForAllRoles(200, ({ newcomer }) => ({
    body: { email: newcomer },
  })),
  'POST /functions/v1/send-otp': expectForAllRoles(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'POST /functions/v1/verify-otp': expectForAllRoles(400, ({ owner }) => ({
    body: { email: owner.email, code: '000000' },
  })),
  'POST /functions/v1/login-password': expectForAllRoles(401, ({ owner }) => ({
    body: { email: owner.email, password: wrongPassword },
  })),
  'POST /functions/v1/forgot-password': expectForAllRoles(200, ({ newcomer }) => ({
    body: { email: newcomer },
  })),
  'POST /functions/v1/send-sign-on-code': expectForAllRoles(400, () => ({ body: { ticket: 'unknown' } })),
  'POST /functions/v1/connect-sign-on': expectForAllRoles(400, () => ({
    body: { ticket: 'unknown', code: '123456' },
  })),
  'POST /functions/v1/reset-password': expectForAllRoles(400, () => ({
    body: { token: 'guessed', password: wrongPassword },
  })),

  // Expected statuses of the same account routes in the GoTrue API
  'POST /auth/v1/signup': expectForAllRoles(200, ({ newcomer }) => ({
    body: { email: newcomer, password: wrongPassword },
  })),
  'POST /auth/v1/token': expectForAllRoles(400, ({ owner }) => ({
    query: 'grant_type=password',
    body: { email: owner.email, password: wrongPassword },
  })),
  'POST /auth/v1/token (refreshing)': expectForAllRoles(400, () => ({
    query: 'grant_type=refresh_token',
    body: { refresh_token: 'guessed' },
  })),
  'POST /auth/v1/otp': expectForAllRoles(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'POST /auth/v1/resend': expectForAllRoles(200, ({ newcomer }) => ({
    body: { email: newcomer, type: 'signup' },
  })),
  'POST /auth/v1/verify': expectForAllRoles(403, ({ owner }) => ({
    body: { email: owner.email, token: '000000', type: 'email' },
  })),
  'POST /auth/v1/recover': expectForAllRoles(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  // This server has no sign-on; server/features/accounts/sign-on.test.ts has one.
  'GET /auth/v1/authorize': expectForAllRoles(400),
  'GET /auth/v1/callback': expectForAllRoles(400),
  'GET /auth/v1/user/identities/authorize': expectForSignedIn(400),
  'DELETE /auth/v1/user/identities/{id}': expectForSignedIn(404, () => ({ params: { id: randomUUID() } })),
  'POST /auth/v1/passkeys/registration/options': expectForSignedIn(200),
  'POST /auth/v1/passkeys/registration/verify': expectForSignedIn(400, () => ({ body: {} })),
  'POST /auth/v1/passkeys/authentication/options': expectForAllRoles(200),
  'POST /auth/v1/passkeys/authentication/verify': expectForAllRoles(400, () => ({ body: {} })),
  'POST /auth/v1/passkeys/proof': expectForSignedIn(400, () => ({ body: {} })),
  'GET /auth/v1/passkeys': expectForSignedIn(200),
  'PATCH /auth/v1/passkeys/{id}': expectForSignedIn(404, () => ({
    params: { id: randomUUID() },
    body: { friendly_name: 'My phone' },
  })),
  'DELETE /auth/v1/passkeys/{id}': expectForSignedIn(404, () => ({ params: { id: randomUUID() } })),
  'GET /auth/v1/user': expectForSignedIn(200),
  'PUT /auth/v1/user': expectForSignedIn(200, () => ({ body: { data: { full_name: 'A New Name' } } })),
  'POST /auth/v1/logout': { ...expectForSignedIn(204), final: true },
  'POST /auth/v1/factors': expectForSignedIn(200, () => ({ body: { factor_type: 'totp' } })),
  'POST /auth/v1/factors/{id}/challenge': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getFactorParams),
  ),
  'POST /auth/v1/factors/{id}/verify': expectPerRole(
    401,
    404,
    404,
    422,
    buildRequestWithParams(getFactorParams, { challenge_id: randomUUID(), code: '000000' }),
  ),
  'DELETE /auth/v1/factors/{id}': expectPerRole(401, 404, 404, 200, buildRequestWithParams(getFactorParams)),
  'GET /auth/v1/factors/recovery-codes': expectForSignedIn(404),
  'POST /auth/v1/factors/recovery-codes': expectForSignedIn(401, () => ({ body: {} })),
  'POST /auth/v1/factors/recovery-codes/regenerate': expectForSignedIn(401),
  'POST /auth/v1/factors/recovery-codes/verify': expectForSignedIn(404, () => ({
    body: { code: 'guessed' },
  })),
  'DELETE /auth/v1/factors/recovery-codes': expectForSignedIn(404),
  'GET /auth/v1/.well-known/jwks.json': expectForAllRoles(200),

  // Expected statuses of report routes
  'POST /rest/v1/reports': expectPerRole(401, 200, 200, 409, ({ listing }) => ({
    body: { subject: 'listing', subject_id: listing.id, reason: 'scam' },
  })),
  'POST /rest/v1/reports (a draft)': expectPerRole(401, 404, 404, 404, ({ draft }) => ({
    body: { subject: 'listing', subject_id: draft.id, reason: 'scam' },
  })),
  'POST /rest/v1/reports (a person)': expectPerRole(401, 200, 200, 409, ({ owner }) => ({
    body: { subject: 'user', subject_id: owner.userId, reason: 'spam', text: 'Writes to everybody' },
  })),
  'POST /rest/v1/reports (a message)': expectPerRole(401, 404, 409, 200, ({ message }) => ({
    body: { subject: 'message', subject_id: message, reason: 'harassment' },
  })),

  'GET /rest/v1/me/decisions': expectForSignedIn(200),
  'POST /rest/v1/appeals': expectPerRole(401, 404, 404, 200, ({ decision }) => ({
    body: { action_id: decision, text: 'It is genuine' },
  })),
  'POST /rest/v1/appeals (with a guessed token)': expectForAllRoles(404, () => ({
    body: { token: 'guessed', text: 'It is genuine' },
  })),

  // Expected statuses of the moderation console's routes
  'GET /rest/v1/moderation/cases': expectForSignedIn(403),
  'GET /rest/v1/moderation/cases/{id}': expectForSignedIn(403, ({ case: id }) => ({ params: { id } })),
  'POST /rest/v1/moderation/cases/{id}/assign': expectForSignedIn(403, ({ case: id }) => ({
    params: { id },
  })),
  'POST /rest/v1/moderation/cases/{id}/actions': expectForSignedIn(403, ({ case: id }) => ({
    params: { id },
    body: { action: 'warn', reason: 'Not allowed' },
  })),
  'POST /rest/v1/moderation/actions/{id}/undo': expectForSignedIn(403, ({ pendingAction: id }) => ({
    params: { id },
  })),
  'GET /rest/v1/moderation/quotes/{id}/photos/{index}': expectForSignedIn(403, ({ case: id }) => ({
    params: { id, index: '0' },
  })),
  'GET /rest/v1/moderation/access': expectForSignedIn(403),
  'GET /rest/v1/moderation/people': expectForSignedIn(403),
  'GET /rest/v1/moderation/overview': expectForSignedIn(403),
  'POST /rest/v1/moderation/people': expectForSignedIn(403, ({ newcomer }) => ({
    body: { email: newcomer, reason: 'Asked by phone' },
  })),
  'GET /rest/v1/moderation/people/{id}': expectForSignedIn(403, ({ owner }) => ({
    params: { id: owner.userId },
  })),
  'POST /rest/v1/moderation/people/{id}/actions': expectForSignedIn(403, ({ owner }) => ({
    params: { id: owner.userId },
    body: { action: 'verify', reason: 'Saw the card' },
  })),
  'DELETE /rest/v1/moderation/people/{id}': {
    ...expectForSignedIn(403, ({ owner }) => ({
      params: { id: owner.userId },
      body: { email: owner.email, reason: 'Asked by letter' },
    })),
    final: true,
  },
  'GET /rest/v1/moderation/forms': expectForSignedIn(403),
  'GET /rest/v1/moderation/forms/{id}': expectForSignedIn(403, ({ form }) => ({ params: { id: form } })),
  'PATCH /rest/v1/moderation/forms/{id}': expectForSignedIn(403, ({ form }) => ({
    params: { id: form },
    body: { done: true, reason: 'Answered by phone' },
  })),
  'POST /rest/v1/moderation/forms/{id}/answers': expectForSignedIn(403, ({ form }) => ({
    params: { id: form },
    body: { id: randomUUID(), text: 'Thank you for writing.' },
  })),
  'GET /rest/v1/moderation/forms/{id}/resume': expectForSignedIn(403, ({ form }) => ({
    params: { id: form },
  })),
  'GET /rest/v1/moderation/spots': expectForSignedIn(403),
  'POST /rest/v1/moderation/spots': expectForSignedIn(403, () => ({
    body: {
      name: `Gate ${randomUUID()}`,
      landmark: null,
      is_indoors: null,
      is_lit: null,
      has_camera_or_phone: null,
      opening_hours: null,
      reason: 'A new gate',
    },
  })),
  'PATCH /rest/v1/moderation/spots/{id}': expectForSignedIn(403, ({ spot }) => ({
    params: { id: spot },
    body: { landmark: 'By the fountain', reason: 'Easier to find' },
  })),
  'POST /rest/v1/moderation/spots/{id}/confirm': expectForSignedIn(403, ({ spot }) => ({
    params: { id: spot },
    body: { reason: 'Went there' },
  })),
  'DELETE /rest/v1/moderation/spots/{id}': expectForSignedIn(403, ({ spot }) => ({
    params: { id: spot },
    body: { reason: 'Building site' },
  })),
  'GET /rest/v1/moderation/courses': expectForSignedIn(403),
  'POST /rest/v1/moderation/courses': expectForSignedIn(403, () => ({
    body: { csv: 'MATH 125,Calculus I', reason: 'A new term' },
  })),
  'DELETE /rest/v1/moderation/courses/{code}': expectForSignedIn(403, ({ course }) => ({
    params: { code: course },
    body: { reason: 'No longer taught' },
  })),
  'GET /rest/v1/moderation/announcement': expectForSignedIn(403),
  'PUT /rest/v1/moderation/announcement': expectForSignedIn(403, () => ({
    body: {
      text: 'Closed on Friday',
      begins_at: '2026-03-02T10:00:00.000Z',
      ends_at: '2026-03-03T10:00:00.000Z',
      reason: 'Holiday',
    },
  })),
  'DELETE /rest/v1/moderation/announcement': expectForSignedIn(403, () => ({
    body: { reason: 'Holiday is over' },
  })),
  'GET /rest/v1/moderation/demo-data': expectForSignedIn(403),
  'DELETE /rest/v1/moderation/demo-data': expectForSignedIn(403, () => ({ body: { reason: 'Going live' } })),

  // Expected statuses of profile routes
  'GET /rest/v1/me': expectForSignedIn(200),
  'PATCH /rest/v1/me': expectForSignedIn(200, () => ({ body: { bio: 'A few words.' } })),
  'GET /rest/v1/me/sessions': expectForSignedIn(200),
  'DELETE /rest/v1/me/sessions/{id}': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams((fixtures) => ({ id: fixtures.session })),
  ),
  'POST /rest/v1/me/reauthentication': expectForSignedIn(200, () => ({ body: { password: testPassword } })),
  'POST /rest/v1/me/reauthentication (with a wrong password)': expectForSignedIn(400, () => ({
    body: { password: wrongPassword },
  })),
  'DELETE /rest/v1/me': {
    ...expectForSignedIn(200, () => ({ body: { confirmation: 'DELETE' } })),
    final: true,
  },
  'DELETE /rest/v1/me (without the word)': expectForSignedIn(400, () => ({ body: {} })),
  'POST /rest/v1/me/campus-address': expectPerRole(401, 200, 409, 409, ({ newcomer }) => ({
    body: { email: newcomer },
  })),
  'POST /rest/v1/me/campus-address (not of the campus)': expectForSignedIn(400, () => ({
    body: { email: 'sam@home.example' },
  })),
  'POST /rest/v1/me/campus-address/verify': expectForSignedIn(400, () => ({ body: { code: '000000' } })),
  'POST /rest/v1/me/membership/link': expectForSignedIn(409),
  'DELETE /rest/v1/me/campus-address': expectForSignedIn(200),
  'GET /rest/v1/me/data': expectForSignedIn(200),
  'GET /rest/v1/users/{id}': expectForAllRoles(200, ({ owner }) => ({ params: { id: owner.userId } })),

  'GET /rest/v1/users/{id}/reviews': expectForAllRoles(200, ({ owner }) => ({
    params: { id: owner.userId },
  })),

  // Expected statuses of listing routes
  'GET /rest/v1/listings': expectForAllRoles(200),
  'GET /rest/v1/listings (of a seller)': expectForAllRoles(200, ({ owner }) => ({
    query: `seller=${owner.userId}`,
  })),
  'GET /rest/v1/listings/similar-matches': expectForAllRoles(200, () => ({ query: 'q=desks' })),
  'GET /rest/v1/listings/suggestions': expectForAllRoles(200, () => ({ query: 'q=oak' })),
  'GET /rest/v1/listings/category-suggestion': expectForSignedIn(200, () => ({ query: 'title=Oak%20desk' })),
  'GET /rest/v1/listings/{slug}': expectForAllRoles(200, buildRequestWithParams(getListingSlugParams)),
  'GET /rest/v1/listings/{slug} (a draft)': expectForAllRoles(
    404,
    buildRequestWithParams(getDraftSlugParams),
  ),
  'GET /rest/v1/listings/{slug}/similar': expectForAllRoles(
    200,
    buildRequestWithParams(getListingSlugParams),
  ),
  'GET /rest/v1/listings/{slug}/book': expectForAllRoles(200, buildRequestWithParams(getListingSlugParams)),
  'GET /rest/v1/listings/{slug}/book (a draft)': expectForAllRoles(404, ({ draft: { slug } }) => ({
    params: { slug },
  })),
  'GET /rest/v1/books/{isbn}': expectForSignedIn(200, () => ({ params: { isbn: '9780306406157' } })),
  'GET /rest/v1/courses': expectForSignedIn(200, () => ({ query: 'q=math' })),
  'GET /rest/v1/courses/{code}': expectForAllRoles(200, ({ course }) => ({ params: { code: course } })),
  'GET /rest/v1/listings/{slug}/similar (a draft)': expectForAllRoles(
    404,
    buildRequestWithParams(getDraftSlugParams),
  ),
  'GET /rest/v1/listings/{slug} (a deleted one)': expectForAllRoles(404, ({ deleted: { slug } }) => ({
    params: { slug },
  })),
  'POST /functions/v1/create-listing': expectForSignedIn(200, () => ({ body: validListingForm })),
  'POST /functions/v1/create-listing (with an id)': expectPerRole(
    401,
    404,
    404,
    200,
    ({ listing: { id } }) => ({
      body: { ...validListingForm, id, title: 'Taken over by somebody' },
    }),
  ),
  'POST /functions/v1/create-listing (with a draft’s id)': expectPerRole(
    401,
    404,
    404,
    200,
    ({ draft: { id } }) => ({
      body: { ...validListingForm, id },
    }),
  ),
  'GET /rest/v1/me/listings': expectForSignedIn(200),
  'GET /rest/v1/me/listings/{id}': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getListingParams),
  ),
  'GET /rest/v1/me/listings/{id} (a draft)': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getDraftParams),
  ),
  'PATCH /rest/v1/me/listings/{id}': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getListingParams, { status: 'draft' }),
  ),
  // Everybody except the owner gets 404 even if the draft is incomplete, because only its owner may learn
  // which fields are missing.
  'PUT /rest/v1/me/listings/{id}/price': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getListingParams, { price: 12 }),
  ),
  'PATCH /rest/v1/me/listings/{id} (a draft)': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getDraftParams, { status: 'published' }),
  ),
  'DELETE /rest/v1/me/listings/{id}': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getListingParams),
  ),
  'DELETE /rest/v1/me/listings/{id} (a draft)': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getDraftParams),
  ),
  // Until a deleted listing is erased, its owner can only restore it, or repeat the deletion after
  // a lost response.
  'GET /rest/v1/me/listings/{id} (a deleted one)': expectForSignedIn(
    404,
    buildRequestWithParams(getDeletedParams),
  ),
  'PATCH /rest/v1/me/listings/{id} (a deleted one)': expectForSignedIn(
    404,
    buildRequestWithParams(getDeletedParams, { status: 'published' }),
  ),
  'DELETE /rest/v1/me/listings/{id} (a deleted one)': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getDeletedParams),
  ),
  'POST /functions/v1/create-listing (with a deleted one’s id)': expectForSignedIn(
    404,
    ({ deleted: { id } }) => ({ body: { ...validListingForm, id } }),
  ),
  'POST /rest/v1/me/listings/{id}/restore': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getDeletedParams),
  ),
  'POST /rest/v1/me/listings/{id}/restore (not a deleted one)': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getListingParams),
  ),
  'GET /rest/v1/listings/{slug} (a sold one)': expectForAllRoles(200, ({ sold: { slug } }) => ({
    params: { slug },
  })),
  'POST /functions/v1/create-listing (with a sold one’s id)': expectPerRole(
    401,
    404,
    404,
    409,
    ({ sold: { id } }) => ({ body: { ...validListingForm, id } }),
  ),
  'POST /rest/v1/me/listings/{id}/sold': expectPerRole(401, 404, 404, 200, (fixtures) => ({
    params: getListingParams(fixtures),
    body: {},
  })),
  'POST /rest/v1/me/listings/{id}/relist': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getSoldParams),
  ),
  'POST /rest/v1/me/listings/{id}/availability': expectPerRole(401, 404, 404, 200, (fixtures) => ({
    params: getListingParams(fixtures),
    body: { answer: 'yes' },
  })),
  'PUT /rest/v1/me/away': {
    ...expectForSignedIn(200, () => ({ body: { until: '2026-03-18' } })),
    final: true,
  },
  'DELETE /rest/v1/me/away': expectForSignedIn(200),
  'POST /rest/v1/me/listings/{id}/copy': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getSoldParams),
  ),
  // Expected statuses of routes about blocked people. Everybody has their own list, and nobody can block
  // themselves.
  'GET /rest/v1/me/blocks': expectForSignedIn(200),
  'GET /rest/v1/me/blocks/ids': expectForSignedIn(200),
  'PUT /rest/v1/me/blocks/{user_id}': expectPerRole(
    401,
    200,
    200,
    409,
    buildRequestWithParams(({ owner }) => ({ user_id: owner.userId })),
  ),
  'DELETE /rest/v1/me/blocks/{user_id}': expectForSignedIn(
    200,
    buildRequestWithParams(({ owner }) => ({ user_id: owner.userId })),
  ),
  // Expected statuses of routes about saved listings. Everybody has their own list, and owners cannot save
  // their own listings.
  'GET /rest/v1/me/saved-listings': expectForSignedIn(200),
  'GET /rest/v1/me/saved-listings/ids': expectForSignedIn(200),
  'PUT /rest/v1/me/saved-listings/{listing_id}': expectPerRole(
    401,
    200,
    200,
    409,
    buildRequestWithParams(({ listing }) => ({ listing_id: listing.id })),
  ),
  'PUT /rest/v1/me/saved-listings/{listing_id} (a draft)': expectForSignedIn(
    404,
    buildRequestWithParams(({ draft }) => ({ listing_id: draft.id })),
  ),
  'PUT /rest/v1/me/saved-listings/{listing_id} (a deleted one)': expectForSignedIn(
    404,
    buildRequestWithParams(({ deleted }) => ({ listing_id: deleted.id })),
  ),
  'POST /rest/v1/me/saved-listings': expectForSignedIn(200, ({ listing, draft, deleted }) => ({
    body: { listing_ids: [listing.id, draft.id, deleted.id] },
  })),
  'DELETE /rest/v1/me/saved-listings/{listing_id}': expectForSignedIn(
    200,
    buildRequestWithParams(({ listing }) => ({ listing_id: listing.id })),
  ),
  'DELETE /rest/v1/me/saved-listings/unavailable': expectForSignedIn(200),
  // Expected statuses of routes about saved searches. Everybody has their own searches, and an attempt to
  // delete another person's search changes nothing.
  'GET /rest/v1/me/saved-searches': expectForSignedIn(200),
  'POST /rest/v1/me/saved-searches': expectForSignedIn(200, () => ({
    body: { name: 'Desks', query: { q: 'desk' }, alert: 'daily' },
  })),
  'PATCH /rest/v1/me/saved-searches/{id}': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(({ savedSearch }) => ({ id: savedSearch }), { name: 'Another name' }),
  ),
  'DELETE /rest/v1/me/saved-searches/{id}': expectForSignedIn(
    200,
    buildRequestWithParams(({ savedSearch }) => ({ id: savedSearch })),
  ),
  // Expected statuses of routes about wanted posts, which everybody sees
  'GET /rest/v1/wanted': expectForAllRoles(200),
  'GET /rest/v1/me/wanted': expectForSignedIn(200),
  'POST /rest/v1/me/wanted': expectForSignedIn(200, () => ({
    body: { ...wantedForm, clientId: randomUUID() },
  })),
  'PUT /rest/v1/me/wanted/{id}': expectPerRole(
    401,
    404,
    200,
    404,
    buildRequestWithParams(({ wanted }) => ({ id: wanted }), wantedForm),
  ),
  'DELETE /rest/v1/me/wanted/{id}': expectPerRole(
    401,
    404,
    200,
    404,
    buildRequestWithParams(({ wanted }) => ({ id: wanted })),
  ),
  'POST /rest/v1/wanted/matches': expectForSignedIn(200, () => ({
    body: { title: 'Fridge', description: '', location: '', category: 'electronics', price: 20 },
  })),
  'GET /rest/v1/me/listings/{id}/wanted': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(({ listing }) => ({ id: listing.id })),
  ),
  'POST /rest/v1/me/listings/{id}/wanted': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(({ listing }) => ({ id: listing.id })),
  ),
  'GET /rest/v1/wanted/{id}/listings': expectForSignedIn(
    200,
    buildRequestWithParams(({ wanted }) => ({ id: wanted })),
  ),
  'POST /rest/v1/wanted/{id}/answers': expectPerRole(401, 404, 404, 200, ({ wanted, listing }) => ({
    params: { id: wanted },
    body: { listing_id: listing.id, client_id: randomUUID(), text: 'I have one. Do you still need it?' },
  })),
  'GET /rest/v1/sale-prices': expectForAllRoles(200, () => ({ query: 'category=furniture&title=Oak+desk' })),
  // Expected statuses of routes about notifications. Everybody has their own notifications, and an attempt to
  // mark another person's notifications as read changes nothing.
  'GET /rest/v1/notifications': expectForSignedIn(200),
  'POST /rest/v1/notifications/read': expectForSignedIn(200, () => ({ body: {} })),
  'GET /rest/v1/me/notification-settings': expectForSignedIn(200),
  'PATCH /rest/v1/me/notification-settings': expectForSignedIn(200, () => ({ body: { digest_hour: 7 } })),
  // Expected statuses of routes about push notifications. Every account has its own subscriptions, and an
  // attempt to remove a subscription of another account changes nothing.
  'GET /rest/v1/me/push-subscriptions': expectForSignedIn(200),
  'POST /rest/v1/me/push-subscriptions': expectForSignedIn(200, () => ({
    body: createTestPushSubscription().form,
  })),
  'DELETE /rest/v1/me/push-subscriptions': expectForSignedIn(200),
  // A conversation is unread only for its parties, so the response differs although the status does not;
  // server/features/push/unread-push-check.test.ts checks it.
  'POST /rest/v1/notifications/shown': expectForSignedIn(200, ({ conversation }) => ({
    body: {
      subjects: [{ source: 'conversation', subject_id: conversation, kind: 'messages', detail: '' }],
    },
  })),
  'GET /rest/v1/me/listings/{id}/people': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getListingParams),
  ),
  'POST /rest/v1/listings/{id}/sale-answer': expectPerRole(
    401,
    404,
    200,
    404,
    buildRequestWithParams(getSoldParams, { confirmed: true }),
  ),
  'POST /rest/v1/listings/{id}/sale-answer (of a listing that was not sold)': expectForSignedIn(
    404,
    buildRequestWithParams(getListingParams, { confirmed: true }),
  ),

  // Expected statuses of conversation routes
  'GET /rest/v1/conversations': expectForSignedIn(200),
  'GET /rest/v1/conversations/unread': expectForSignedIn(200),
  'POST /rest/v1/conversations': expectPerRole(401, 200, 200, 409, ({ listing: { id } }) => ({
    body: { listing_id: id },
  })),
  'POST /rest/v1/conversations (about a draft)': expectPerRole(401, 404, 404, 404, ({ draft: { id } }) => ({
    body: { listing_id: id },
  })),
  'GET /rest/v1/conversations/about/{id}': expectPerRole(
    401,
    200,
    200,
    409,
    buildRequestWithParams(getListingParams),
  ),
  'GET /rest/v1/conversations/about/{id} (about a draft)': expectPerRole(
    401,
    404,
    404,
    404,
    buildRequestWithParams(getDraftParams),
  ),
  'POST /rest/v1/conversations (about a deleted one)': expectForSignedIn(404, ({ deleted: { id } }) => ({
    body: { listing_id: id },
  })),
  'GET /rest/v1/conversations/about/{id} (about a deleted one)': expectForSignedIn(
    404,
    buildRequestWithParams(getDeletedParams),
  ),
  'GET /rest/v1/conversations/{id}': expectPerRole(
    401,
    404,
    200,
    200,
    buildRequestWithParams(getConversationParams),
  ),
  'PATCH /rest/v1/conversations/{id}': expectPerRole(
    401,
    404,
    200,
    200,
    buildRequestWithParams(getConversationParams, { archived: false }),
  ),
  'GET /rest/v1/conversations/{id}/messages': expectPerRole(
    401,
    404,
    200,
    200,
    buildRequestWithParams(getConversationParams),
  ),
  'POST /rest/v1/conversations/{id}/messages': expectPerRole(401, 404, 200, 200, (fixtures) => ({
    params: getConversationParams(fixtures),
    body: { client_id: randomUUID(), message_text: 'Let me in' },
  })),
  'DELETE /rest/v1/conversations/{id}/messages/{message_id}': expectPerRole(
    401,
    404,
    200,
    404,
    buildRequestWithParams(({ conversation, message }) => ({ id: conversation, message_id: message })),
  ),
  'GET /rest/v1/conversations/{id}/photos/{photo_id}': expectPerRole(
    401,
    404,
    200,
    200,
    buildRequestWithParams(({ conversation, messagePhoto }) => ({
      id: conversation,
      photo_id: messagePhoto,
    })),
  ),
  'POST /rest/v1/conversations/{id}/read': expectPerRole(
    401,
    404,
    200,
    200,
    buildRequestWithParams(getConversationParams, { seq: 1 }),
  ),
  'POST /functions/v1/notify-seller-new-message': expectPerRole(401, 404, 200, 200, (fixtures) => ({
    body: { conversationId: fixtures.conversation },
  })),

  // Expected statuses of deal routes
  'POST /rest/v1/deals': expectPerRole(401, 200, 200, 409, ({ listing: { id } }) => ({
    body: { client_id: randomUUID(), listing_id: id },
  })),
  'POST /rest/v1/deals (about a draft)': expectForSignedIn(404, ({ draft: { id } }) => ({
    body: { client_id: randomUUID(), listing_id: id },
  })),
  'GET /rest/v1/deals': expectForSignedIn(200),
  'GET /rest/v1/deals/about/{id}': expectForSignedIn(200, buildRequestWithParams(getListingParams)),
  'GET /rest/v1/deals/about/{id} (about a draft)': expectForSignedIn(
    404,
    buildRequestWithParams(getDraftParams),
  ),
  'GET /rest/v1/deals/{id}': expectPerRole(401, 404, 200, 200, ({ deal }) => ({ params: { id: deal } })),
  'GET /rest/v1/deals/{id}/photos': expectPerRole(401, 404, 200, 200, ({ deal }) => ({
    params: { id: deal },
  })),
  // The photo does not exist, which only a party of the deal is told.
  'POST /rest/v1/deals/{id}/photos': expectPerRole(401, 404, 422, 422, ({ deal }) => ({
    params: { id: deal },
    body: { client_id: randomUUID(), step: 'pick_up', photos: [randomUUID()] },
  })),
  // One message is the other person's own, which can be unsent.
  'DELETE /rest/v1/deals/{id}/photos/{message_id}': expectPerRole(
    401,
    404,
    200,
    404,
    ({ deal, dealMessage }) => ({ params: { id: deal, message_id: dealMessage } }),
  ),
  'GET /rest/v1/deals/{id}/calendar': expectPerRole(401, 404, 200, 200, ({ completedDeal }) => ({
    params: { id: completedDeal },
  })),
  'GET /rest/v1/deals/{id}/calendar (before a time is agreed)': expectPerRole(
    401,
    404,
    409,
    409,
    ({ deal }) => ({
      params: { id: deal },
    }),
  ),
  'GET /rest/v1/deals/{id}/review': expectPerRole(401, 404, 200, 200, ({ completedDeal }) => ({
    params: { id: completedDeal },
  })),
  'POST /rest/v1/deals/{id}/review': expectPerRole(401, 404, 200, 200, ({ completedDeal }) => ({
    params: { id: completedDeal },
    body: { rating: 5, text: 'Everything went well.' },
  })),
  'POST /rest/v1/deals/{id}/review (before the completion)': expectPerRole(
    401,
    404,
    409,
    409,
    ({ deal }) => ({
      params: { id: deal },
      body: { rating: 5 },
    }),
  ),
  'POST /rest/v1/deals/{id}/transitions': expectPerRole(401, 404, 200, 200, ({ deal }) => ({
    params: { id: deal },
    body: {
      client_id: randomUUID(),
      transition: 'propose_handover',
      place: 'The fountain',
      times: ['2026-03-03T18:00:00.000Z'],
    },
  })),
  'POST /rest/v1/deals/{id}/transitions (with a deal of other people)': expectPerRole(
    ...([401, 404, 404, 404] as const),
    ({ deal }) => ({
      params: { id: deal },
      body: {
        client_id: randomUUID(),
        transition: 'propose_handover',
        place: 'The fountain',
        times: ['2026-03-03T18:00:00.000Z'],
        also_for: [randomUUID()],
      },
    }),
  ),
  'GET /rest/v1/me/listings/{id}/deals': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getListingParams),
  ),
  // Expected statuses of handover routes
  'GET /rest/v1/me/handovers': expectForSignedIn(200),
  'GET /rest/v1/me/handovers/calendar': expectForSignedIn(409),
  'GET /rest/v1/meeting-spots': expectForAllRoles(200),
  'GET /rest/v1/games': expectForAllRoles(200),

  // Expected statuses of routes of public forms. These calls need no session.
  'POST /rest/v1/forms/report': expectForAllRoles(200, () => ({
    body: { subject: 'A concern', details: 'All of it.' },
  })),
  'POST /rest/v1/forms/contact': expectForAllRoles(200, () => ({
    body: { ...emailBody, name: 'Nina', topic: 'Other', message: 'Hello there' },
  })),
  'POST /rest/v1/forms/deletion-request': expectForAllRoles(200, () => ({ body: emailBody })),
  [`POST ${jobApplicationPath}`]: expectForAllRoles(200, () => ({
    multipart: { fields: { ...emailBody, name: 'Nina', opening: 'Product Designer' } },
  })),

  // Expected statuses of upload and download routes
  'POST /storage/v1/object/{bucket}': expectForSignedIn(200, () => ({
    params: { bucket: 'listing-photos' },
    multipart: { file: true },
  })),
  'DELETE /storage/v1/object/{bucket}/{*}': expectPerRole(
    401,
    404,
    404,
    200,
    buildRequestWithParams(getPhotoParams),
  ),
  'GET /storage/v1/object/public/{bucket}/{*}': expectForAllRoles(
    200,
    buildRequestWithParams(getPhotoParams),
  ),

  // Expected statuses of routes in emailed links. The unguessable token in the link is the authorization
  // (server/features/notifications/unsubscribe.test.ts, server/features/listings/availability.test.ts,
  // server/features/accounts/memberships.test.ts).
  'GET /availability/{token}/{answer}': expectForAllRoles(404, () => ({
    params: { token: 'guessed', answer: 'yes' },
  })),
  'POST /availability/{token}/{answer}': expectForAllRoles(404, () => ({
    params: { token: 'guessed', answer: 'yes' },
  })),
  'GET /membership/{token}': expectForAllRoles(404, () => ({ params: { token: 'guessed' } })),
  'POST /membership/{token}': expectForAllRoles(404, () => ({ params: { token: 'guessed' } })),
  'GET /unsubscribe/{token}': expectForAllRoles(404, () => ({ params: { token: 'guessed' } })),
  'POST /unsubscribe/{token}': expectForAllRoles(404, () => ({ params: { token: 'guessed' } })),

  // Expected statuses of routes outside the API: health checks and API documentation
  'GET /healthz': expectForAllRoles(200),
  'GET /readyz': expectForAllRoles(200),
  // Expect 200, because the authorization test sends its requests from the same machine;
  // server/http/metrics.test.ts covers other machines.
  'GET /metrics': expectForAllRoles(200),
  'GET /docs': expectForAllRoles(200),
  'GET /openapi.json': expectForAllRoles(200),
  // Expect 200, because the authorization test sends its requests from the same machine; other
  // machines get 404 (server/mail/dev-mailbox-page.ts).
  'GET /dev/mail': expectForAllRoles(200),
  'GET /dev/mail/{id}': expectForAllRoles(404, () => ({ params: { id: '1' } })),
};

/** Expected result of joining a realtime topic, per role: `ok` or an error code. */
export const topicJoinResults: Record<string, Record<CallerRole, string>> = {
  'conversation:{id}': { visitor: 'not_authenticated', stranger: 'not_found', other: 'ok', owner: 'ok' },
  // The topic of one account, which only that account may join.
  'user:{id}': { visitor: 'not_authenticated', stranger: 'not_found', other: 'not_found', owner: 'ok' },
};
