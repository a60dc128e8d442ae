import { randomUUID } from 'node:crypto';
import { applicationPath } from '#contract/forms.ts';
import type { Fixtures, Role } from './authorization-fixtures.ts';
import { validListingForm } from './listings.ts';

/** The variable parts of a request; method and path are in the key of the table. */
interface Request {
  params?: Record<string, string>;
  query?: string;
  body?: object;
  /** Content of a multipart body: form fields; `file: true` adds a photo. */
  multipart?: { fields?: Record<string, string>; file?: boolean };
}

export interface Row {
  status: Record<Role, number>;
  request: (fixtures: Fixtures) => Request;
  /** Whether a successful request ends sessions or accounts, so that the actors cannot be used afterwards. */
  final?: boolean;
}

type MakeRequest = (fixtures: Fixtures) => Request;
const emptyRequest: MakeRequest = () => ({});

/** Returns a row with the expected HTTP status for each role. */
const expectPerRole = (
  visitor: number,
  stranger: number,
  other: number,
  owner: number,
  request = emptyRequest,
): Row => ({
  status: { visitor, stranger, other, owner },
  request,
});
/** Returns a row for a request with the same expected status for every role. */
const expectForAll = (status: number, request = emptyRequest): Row =>
  expectPerRole(status, status, status, status, request);
/** Returns a row for a request that needs a session and affects only the caller: 401 for visitors. */
const expectForSignedIn = (status: number, request = emptyRequest): Row =>
  expectPerRole(401, status, status, status, request);

const requestWith =
  (params: (fixtures: Fixtures) => Record<string, string>, body?: object): MakeRequest =>
  (fixtures) => ({ params: params(fixtures), ...(body ? { body } : {}) });
const listing = (fixtures: Fixtures) => ({ id: fixtures.listing.id });
const draft = (fixtures: Fixtures) => ({ id: fixtures.draft.id });
const slug = (fixtures: Fixtures) => ({ slug: fixtures.listing.slug });
const draftSlug = (fixtures: Fixtures) => ({ slug: fixtures.draft.slug });
const conversation = (fixtures: Fixtures) => ({ id: fixtures.conversation });
const photo = (fixtures: Fixtures) => ({ bucket: 'listing-photos', '*': fixtures.photo });
const wrongPassword = 'not-their-password-1';
const form = { email: 'someone@usc.edu' };

/**
 * The authorization table: every route with the expected status for a visitor, a stranger, the other party (the buyer
 * who wrote about the listing) and the owner (its seller). Text in parentheses distinguishes several rows of a route.
 */
export const authorization: Record<string, Row> = {
  // Accounts: these calls need no session, so the status is the same for every role.
  'POST /functions/v1/signup': expectForAll(200, ({ newcomer }) => ({
    body: { email: newcomer, password: 'a-new-password-1', fullName: 'Nina Newcomer' },
  })),
  'POST /functions/v1/signup (an address that has an account)': expectForAll(409, ({ owner }) => ({
    body: { email: owner.email, password: wrongPassword, fullName: 'Someone else' },
  })),
  'POST /functions/v1/send-verification-code': expectForAll(200, ({ newcomer }) => ({
    body: { email: newcomer },
  })),
  'POST /functions/v1/send-otp': expectForAll(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'POST /functions/v1/verify-otp': expectForAll(400, ({ owner }) => ({
    body: { email: owner.email, code: '000000' },
  })),
  'POST /functions/v1/login-password': expectForAll(401, ({ owner }) => ({
    body: { email: owner.email, password: wrongPassword },
  })),
  'POST /functions/v1/forgot-password': expectForAll(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'POST /functions/v1/reset-password': expectForAll(400, () => ({
    body: { token: 'guessed', password: wrongPassword },
  })),

  // The same account calls in the GoTrue API
  'POST /auth/v1/signup': expectForAll(200, ({ newcomer }) => ({
    body: { email: newcomer, password: wrongPassword },
  })),
  'POST /auth/v1/token': expectForAll(400, ({ owner }) => ({
    query: 'grant_type=password',
    body: { email: owner.email, password: wrongPassword },
  })),
  'POST /auth/v1/token (refreshing)': expectForAll(400, () => ({
    query: 'grant_type=refresh_token',
    body: { refresh_token: 'guessed' },
  })),
  'POST /auth/v1/otp': expectForAll(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'POST /auth/v1/resend': expectForAll(200, ({ newcomer }) => ({
    body: { email: newcomer, type: 'signup' },
  })),
  'POST /auth/v1/verify': expectForAll(403, ({ owner }) => ({
    body: { email: owner.email, token: '000000', type: 'email' },
  })),
  'POST /auth/v1/recover': expectForAll(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'GET /auth/v1/user': expectForSignedIn(200),
  'PUT /auth/v1/user': expectForSignedIn(200, () => ({ body: { data: { full_name: 'A New Name' } } })),
  'POST /auth/v1/logout': { ...expectForSignedIn(204), final: true },
  'GET /auth/v1/.well-known/jwks.json': expectForAll(200),

  // Profiles
  'GET /rest/v1/me': expectForSignedIn(200),
  'PATCH /rest/v1/me': expectForSignedIn(200, () => ({ body: { bio: 'A few words.' } })),
  'DELETE /rest/v1/me': {
    ...expectForSignedIn(200, () => ({ body: { confirmation: 'DELETE' } })),
    final: true,
  },
  'DELETE /rest/v1/me (without the word)': expectForSignedIn(400, () => ({ body: {} })),
  'GET /rest/v1/me/data': expectForSignedIn(200),
  'GET /rest/v1/users/{id}': expectForAll(200, ({ owner }) => ({ params: { id: owner.userId } })),

  // Listings
  'GET /rest/v1/listings': expectForAll(200),
  'GET /rest/v1/listings/similar-matches': expectForAll(200, () => ({ query: 'q=desks' })),
  'GET /rest/v1/listings/suggestions': expectForAll(200, () => ({ query: 'q=oak' })),
  'GET /rest/v1/listings/{slug}': expectForAll(200, requestWith(slug)),
  'GET /rest/v1/listings/{slug} (a draft)': expectForAll(404, requestWith(draftSlug)),
  'GET /rest/v1/listings/{slug}/similar': expectForAll(200, requestWith(slug)),
  'GET /rest/v1/listings/{slug}/similar (a draft)': expectForAll(404, requestWith(draftSlug)),
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
  'GET /rest/v1/me/listings/{id}': expectPerRole(401, 404, 404, 200, requestWith(listing)),
  'GET /rest/v1/me/listings/{id} (a draft)': expectPerRole(401, 404, 404, 200, requestWith(draft)),
  'PATCH /rest/v1/me/listings/{id}': expectPerRole(
    401,
    404,
    404,
    200,
    requestWith(listing, { status: 'draft' }),
  ),
  // Only the owner may learn which fields of the draft are missing.
  'PATCH /rest/v1/me/listings/{id} (a draft)': expectPerRole(
    401,
    404,
    404,
    200,
    requestWith(draft, { status: 'published' }),
  ),
  'DELETE /rest/v1/me/listings/{id}': expectPerRole(401, 404, 404, 200, requestWith(listing)),
  'DELETE /rest/v1/me/listings/{id} (a draft)': expectPerRole(401, 404, 404, 200, requestWith(draft)),

  // Conversations
  'GET /rest/v1/conversations': expectForSignedIn(200),
  'GET /rest/v1/conversations/unread': expectForSignedIn(200),
  'POST /rest/v1/conversations': expectPerRole(401, 200, 200, 409, ({ listing: { id } }) => ({
    body: { listing_id: id },
  })),
  'POST /rest/v1/conversations (about a draft)': expectPerRole(401, 404, 404, 404, ({ draft: { id } }) => ({
    body: { listing_id: id },
  })),
  'GET /rest/v1/conversations/about/{id}': expectPerRole(401, 200, 200, 409, requestWith(listing)),
  'GET /rest/v1/conversations/about/{id} (about a draft)': expectPerRole(
    401,
    404,
    404,
    404,
    requestWith(draft),
  ),
  'GET /rest/v1/conversations/{id}': expectPerRole(401, 404, 200, 200, requestWith(conversation)),
  'GET /rest/v1/conversations/{id}/messages': expectPerRole(401, 404, 200, 200, requestWith(conversation)),
  'POST /rest/v1/conversations/{id}/messages': expectPerRole(401, 404, 200, 200, (fixtures) => ({
    params: conversation(fixtures),
    body: { client_id: randomUUID(), message_text: 'Let me in' },
  })),
  'POST /rest/v1/conversations/{id}/read': expectPerRole(
    401,
    404,
    200,
    200,
    requestWith(conversation, { seq: 1 }),
  ),
  'POST /functions/v1/notify-seller-new-message': expectPerRole(401, 404, 200, 200, (fixtures) => ({
    body: { conversationId: fixtures.conversation },
  })),

  // Forms: these calls need no session.
  'POST /rest/v1/forms/report': expectForAll(200, () => ({
    body: { subject: 'A concern', details: 'All of it.' },
  })),
  'POST /rest/v1/forms/contact': expectForAll(200, () => ({
    body: { ...form, name: 'Nina', topic: 'Other', message: 'Hello there' },
  })),
  'POST /rest/v1/forms/deletion-request': expectForAll(200, () => ({ body: form })),
  [`POST ${applicationPath}`]: expectForAll(200, () => ({
    multipart: { fields: { ...form, name: 'Nina', opening: 'Product Designer' } },
  })),

  // Files
  'POST /storage/v1/object/{bucket}': expectForSignedIn(200, () => ({
    params: { bucket: 'listing-photos' },
    multipart: { file: true },
  })),
  'DELETE /storage/v1/object/{bucket}/{*}': expectPerRole(401, 404, 404, 200, requestWith(photo)),
  'GET /storage/v1/object/public/{bucket}/{*}': expectForAll(200, requestWith(photo)),

  // Mail: the unguessable token in the emailed link is the authorization (server/mail/unsubscribe.test.ts).
  'GET /unsubscribe/{token}': expectForAll(404, () => ({ params: { token: 'guessed' } })),
  'POST /unsubscribe/{token}': expectForAll(404, () => ({ params: { token: 'guessed' } })),

  // Routes outside the API: health checks and API documentation
  'GET /healthz': expectForAll(200),
  'GET /readyz': expectForAll(200),
  // This test sends its requests from the same machine; server/http/metrics.test.ts covers other machines.
  'GET /metrics': expectForAll(200),
  'GET /docs': expectForAll(200),
  // This test sends its requests from the same machine; other machines get 404 (server/mail/mailbox-page.ts).
  'GET /dev/mail': expectForAll(200),
  'GET /dev/mail/{id}': expectForAll(404, () => ({ params: { id: '1' } })),
};

/** Expected result of joining a realtime topic, per role: `ok` or an error code. */
export const topicResults: Record<string, Record<Role, string>> = {
  'conversation:{id}': { visitor: 'not_authenticated', stranger: 'not_found', other: 'ok', owner: 'ok' },
  // The topic of one account, which only that account may join.
  'user:{id}': { visitor: 'not_authenticated', stranger: 'not_found', other: 'not_found', owner: 'ok' },
};
