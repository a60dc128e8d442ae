import { randomUUID } from 'node:crypto';
import { applicationPath } from '#contract/forms.ts';
import type { Fixtures, Role } from './authorization-fixtures.ts';
import { goodListing } from './listings.ts';

/** A request for given fixtures. */
interface Request {
  params?: Record<string, string>;
  query?: string;
  body?: object;
  /** Fields of a multipart body; `file` adds a photo. */
  multipart?: { fields?: Record<string, string>; file?: boolean };
}

export interface Row {
  status: Record<Role, number>;
  request: (fixtures: Fixtures) => Request;
  /** Its success ends sessions or accounts, so the actors cannot be used afterwards. */
  final?: boolean;
}

type MakeRequest = (fixtures: Fixtures) => Request;
const emptyRequest: MakeRequest = () => ({});

/** Returns a row with the expected status per role. */
const row = (
  visitor: number,
  stranger: number,
  other: number,
  owner: number,
  request = emptyRequest,
): Row => ({
  status: { visitor, stranger, other, owner },
  request,
});
/** A call with the same status for every role. */
const all = (status: number, request = emptyRequest): Row => row(status, status, status, status, request);
/** A call that needs a session and concerns only the caller. */
const signedIn = (status: number, request = emptyRequest): Row => row(401, status, status, status, request);

const at =
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
  // Accounts: the same for every role, because these calls need no session.
  'POST /functions/v1/signup': all(200, ({ newcomer }) => ({
    body: { email: newcomer, password: 'a-new-password-1', fullName: 'Nina Newcomer' },
  })),
  'POST /functions/v1/signup (an address that has an account)': all(409, ({ owner }) => ({
    body: { email: owner.email, password: wrongPassword, fullName: 'Someone else' },
  })),
  'POST /functions/v1/send-verification-code': all(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'POST /functions/v1/send-otp': all(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'POST /functions/v1/verify-otp': all(400, ({ owner }) => ({
    body: { email: owner.email, code: '000000' },
  })),
  'POST /functions/v1/login-password': all(401, ({ owner }) => ({
    body: { email: owner.email, password: wrongPassword },
  })),
  'POST /functions/v1/forgot-password': all(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'POST /functions/v1/reset-password': all(400, () => ({
    body: { token: 'guessed', password: wrongPassword },
  })),

  // The same in the GoTrue dialect
  'POST /auth/v1/signup': all(200, ({ newcomer }) => ({
    body: { email: newcomer, password: wrongPassword },
  })),
  'POST /auth/v1/token': all(400, ({ owner }) => ({
    query: 'grant_type=password',
    body: { email: owner.email, password: wrongPassword },
  })),
  'POST /auth/v1/token (refreshing)': all(400, () => ({
    query: 'grant_type=refresh_token',
    body: { refresh_token: 'guessed' },
  })),
  'POST /auth/v1/otp': all(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'POST /auth/v1/resend': all(200, ({ newcomer }) => ({ body: { email: newcomer, type: 'signup' } })),
  'POST /auth/v1/verify': all(403, ({ owner }) => ({
    body: { email: owner.email, token: '000000', type: 'email' },
  })),
  'POST /auth/v1/recover': all(200, ({ newcomer }) => ({ body: { email: newcomer } })),
  'GET /auth/v1/user': signedIn(200),
  'PUT /auth/v1/user': signedIn(200, () => ({ body: { data: { full_name: 'A New Name' } } })),
  'POST /auth/v1/logout': { ...signedIn(204), final: true },
  'GET /auth/v1/.well-known/jwks.json': all(200),

  // Profiles
  'GET /rest/v1/me': signedIn(200),
  'PATCH /rest/v1/me': signedIn(200, () => ({ body: { bio: 'A few words.' } })),
  'DELETE /rest/v1/me': { ...signedIn(200, () => ({ body: { confirmation: 'DELETE' } })), final: true },
  'DELETE /rest/v1/me (without the word)': signedIn(400, () => ({ body: {} })),
  'GET /rest/v1/me/data': signedIn(200),
  'GET /rest/v1/users/{id}': all(200, ({ owner }) => ({ params: { id: owner.userId } })),

  // Listings
  'GET /rest/v1/listings': all(200),
  'GET /rest/v1/listings/similar-matches': all(200, () => ({ query: 'q=desks' })),
  'GET /rest/v1/listings/suggestions': all(200, () => ({ query: 'q=oak' })),
  'GET /rest/v1/listings/{slug}': all(200, at(slug)),
  'GET /rest/v1/listings/{slug} (a draft)': all(404, at(draftSlug)),
  'GET /rest/v1/listings/{slug}/similar': all(200, at(slug)),
  'GET /rest/v1/listings/{slug}/similar (a draft)': all(404, at(draftSlug)),
  'POST /functions/v1/create-listing': signedIn(200, () => ({ body: goodListing })),
  'POST /functions/v1/create-listing (with an id)': row(401, 404, 404, 200, ({ listing: { id } }) => ({
    body: { ...goodListing, id, title: 'Taken over by somebody' },
  })),
  'POST /functions/v1/create-listing (with a draft’s id)': row(401, 404, 404, 200, ({ draft: { id } }) => ({
    body: { ...goodListing, id },
  })),
  'GET /rest/v1/me/listings': signedIn(200),
  'GET /rest/v1/me/listings/{id}': row(401, 404, 404, 200, at(listing)),
  'GET /rest/v1/me/listings/{id} (a draft)': row(401, 404, 404, 200, at(draft)),
  'PATCH /rest/v1/me/listings/{id}': row(401, 404, 404, 200, at(listing, { status: 'draft' })),
  // Only the owner may learn which fields are missing.
  'PATCH /rest/v1/me/listings/{id} (a draft)': row(401, 404, 404, 200, at(draft, { status: 'published' })),
  'DELETE /rest/v1/me/listings/{id}': row(401, 404, 404, 200, at(listing)),
  'DELETE /rest/v1/me/listings/{id} (a draft)': row(401, 404, 404, 200, at(draft)),

  // Conversations
  'GET /rest/v1/conversations': signedIn(200),
  'GET /rest/v1/conversations/unread': signedIn(200),
  'POST /rest/v1/conversations': row(401, 200, 200, 409, ({ listing: { id } }) => ({
    body: { listing_id: id },
  })),
  'POST /rest/v1/conversations (about a draft)': row(401, 404, 404, 404, ({ draft: { id } }) => ({
    body: { listing_id: id },
  })),
  'GET /rest/v1/conversations/about/{id}': row(401, 200, 200, 409, at(listing)),
  'GET /rest/v1/conversations/about/{id} (about a draft)': row(401, 404, 404, 404, at(draft)),
  'GET /rest/v1/conversations/{id}': row(401, 404, 200, 200, at(conversation)),
  'GET /rest/v1/conversations/{id}/messages': row(401, 404, 200, 200, at(conversation)),
  'POST /rest/v1/conversations/{id}/messages': row(401, 404, 200, 200, (fixtures) => ({
    params: conversation(fixtures),
    body: { client_id: randomUUID(), message_text: 'Let me in' },
  })),
  'POST /rest/v1/conversations/{id}/read': row(401, 404, 200, 200, at(conversation, { seq: 1 })),
  'POST /functions/v1/notify-seller-new-message': row(401, 404, 200, 200, (fixtures) => ({
    body: { conversationId: fixtures.conversation },
  })),

  // Forms: no session needed.
  'POST /rest/v1/forms/report': all(200, () => ({ body: { subject: 'A concern', details: 'All of it.' } })),
  'POST /rest/v1/forms/contact': all(200, () => ({
    body: { ...form, name: 'Nina', topic: 'Other', message: 'Hello there' },
  })),
  'POST /rest/v1/forms/deletion-request': all(200, () => ({ body: form })),
  [`POST ${applicationPath}`]: all(200, () => ({
    multipart: { fields: { ...form, name: 'Nina', opening: 'Product Designer' } },
  })),

  // Files
  'POST /storage/v1/object/{bucket}': signedIn(200, () => ({
    params: { bucket: 'listing-photos' },
    multipart: { file: true },
  })),
  'DELETE /storage/v1/object/{bucket}/{*}': row(401, 404, 404, 200, at(photo)),
  'GET /storage/v1/object/public/{bucket}/{*}': all(200, at(photo)),

  // Mail: the link in an email is the authorization and cannot be guessed (server/mail/unsubscribe.test.ts).
  'GET /unsubscribe/{token}': all(404, () => ({ params: { token: 'guessed' } })),
  'POST /unsubscribe/{token}': all(404, () => ({ params: { token: 'guessed' } })),

  // Outside the API: health checks and the documentation of the calls
  'GET /healthz': all(200),
  'GET /readyz': all(200),
  // Requests from this machine; server/http/metrics.test.ts covers the others.
  'GET /metrics': all(200),
  'GET /docs': all(200),
  // This test is a client on the same machine; others get 404 (server/mail/mailbox-page.ts).
  'GET /dev/mail': all(200),
  'GET /dev/mail/{id}': all(404, () => ({ params: { id: '1' } })),
};

/** Result of joining a topic per role: `ok`, or the error code. */
export const topics: Record<string, Record<Role, string>> = {
  'conversation:{id}': { visitor: 'not_authenticated', stranger: 'not_found', other: 'ok', owner: 'ok' },
  // The owner's own topic.
  'user:{id}': { visitor: 'not_authenticated', stranger: 'not_found', other: 'not_found', owner: 'ok' },
};
