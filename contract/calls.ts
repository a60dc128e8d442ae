import { z } from 'zod';
import {
  authPasswordResponseSchema,
  doneSchema,
  emailOnlySchema,
  emailWithAddressSchema,
  loginSchema,
  resetPasswordSchema,
  signupSchema,
  verifyOtpSchema,
} from './accounts.ts';
import type { Campus } from './campus.ts';
import {
  conversationSchema,
  foundConversationSchema,
  inboxQuerySchema,
  inboxSchema,
  messageListSchema,
  messageQuerySchema,
  messageSchema,
  notifySellerSchema,
  openConversationSchema,
  readMarkSchema,
  sendMessageSchema,
  unreadSchema,
  unreadTotalSchema,
} from './conversations.ts';
import type { ErrorCode } from './errors.ts';
import { contactSchema, deletionRequestSchema, reportSchema } from './forms.ts';
import type { LimitName } from './limits.ts';
import {
  listingPageSchema,
  listingQuerySchema,
  ownListingPageSchema,
  ownListingQuerySchema,
  similarMatchesQuerySchema,
  suggestedListingSchema,
  suggestionQuerySchema,
} from './listing-queries.ts';
import {
  listingCardSchema,
  listingSchema,
  listingStatuses,
  listingSubmissionSchema,
  ownListingSchema,
} from './listings.ts';
import { ownDataSchema } from './own-data.ts';
import { deletionSchema, ownProfileSchema, profileChangeSchema, publicUserSchema } from './profiles.ts';
import { idSchema } from './text.ts';

/** One API call, declared once; the server's route, the browser's client and the documentation are derived from it. */
export interface CallShape {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path, with {name} for each parameter. */
  path: string;
  summary: string;
  /**
   * The callers it accepts: `anyone` (sessions are ignored), `either` (a session is optional) or `user` (a session is
   * required).
   */
  access: 'anyone' | 'either' | 'user';
  params?: z.ZodType;
  query?: z.ZodType;
  /** The body's schema, or a function that creates it for a campus day (YYYY-MM-DD) and a campus. */
  body?: z.ZodType | ((today: string, campus: Campus) => z.ZodType);
  output: z.ZodType;
  /** The error when the path names something that does not or cannot exist. */
  notFound?: ErrorCode;
  /** Its other errors, apart from those that every call can return. */
  errors: readonly ErrorCode[];
  limit?: LimitName;
  /** Rate limits that the accounts service applies itself, because known devices of an account are exempt from them. */
  accountLimits?: readonly LimitName[];
}

/** Returns the codes of all errors that a call declares, `notFound` first. */
export const declaredErrorsOf = ({ notFound, errors }: CallShape): readonly ErrorCode[] =>
  notFound === undefined ? errors : [notFound, ...errors];

/** Returns its argument; checks its shape and keeps its literal types. */
const declareCall = <const Shape extends CallShape>(shape: Shape): Shape => shape;

type SchemaOf<T> = T extends (today: string, campus: Campus) => infer Schema ? Schema : T;
type Input<T> = SchemaOf<T> extends z.ZodType ? z.input<SchemaOf<T>> : undefined;
type Parsed<T> = SchemaOf<T> extends z.ZodType ? z.output<SchemaOf<T>> : undefined;

/** The parts of a request that a caller passes. */
export type CallInput<C extends CallShape> = {
  [Part in 'params' | 'query' | 'body' as C extends Record<Part, unknown> ? Part : never]: Input<C[Part]>;
};
/** The validated and transformed parts that a handler receives. */
export type CallParts<C extends CallShape> = {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  body: Parsed<C['body']>;
};
export type CallOutput<C extends CallShape> = z.output<C['output']>;

const idParamsSchema = z.object({ id: idSchema });
const slugParamsSchema = z.object({ slug: z.string().regex(/^[a-z0-9-]{1,200}$/) });
const itemListSchema = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) });

export const calls = {
  // Accounts (specification §7, "Server functions")
  signup: declareCall({
    method: 'POST',
    path: '/functions/v1/signup',
    summary: 'Creates an account and mails its first code.',
    access: 'anyone',
    body: (_today, campus) => signupSchema(campus),
    output: doneSchema,
    errors: ['account_exists', 'campus_address_required', 'weak_password', 'mail_off'],
    accountLimits: ['codes_to', 'sign_up'],
  }),
  sendVerificationCode: declareCall({
    method: 'POST',
    path: '/functions/v1/send-verification-code',
    summary: 'Mails a new code for an account that is not verified yet.',
    access: 'anyone',
    body: emailOnlySchema,
    output: doneSchema,
    errors: ['mail_off'],
    accountLimits: ['codes_to', 'codes'],
  }),
  sendOtp: declareCall({
    method: 'POST',
    path: '/functions/v1/send-otp',
    summary: 'Mails a code to log in with.',
    access: 'anyone',
    body: emailWithAddressSchema,
    output: doneSchema,
    errors: ['mail_off'],
    accountLimits: ['codes_to', 'codes'],
  }),
  verifyOtp: declareCall({
    method: 'POST',
    path: '/functions/v1/verify-otp',
    summary: 'Exchanges the newest code of an address for a credential to sign in with.',
    access: 'anyone',
    body: verifyOtpSchema,
    output: authPasswordResponseSchema,
    errors: ['code_invalid', 'code_attempts_used', 'account_suspended'],
    accountLimits: ['guess', 'wrong_code', 'sign_in', 'log_in'],
  }),
  loginPassword: declareCall({
    method: 'POST',
    path: '/functions/v1/login-password',
    summary: 'Exchanges address and password for a credential to sign in with.',
    access: 'anyone',
    body: loginSchema,
    output: authPasswordResponseSchema,
    errors: [
      'account_not_found',
      'email_not_verified',
      'invalid_credentials',
      'account_suspended',
      'mail_off',
    ],
    accountLimits: ['guess', 'wrong_password', 'sign_in', 'log_in'],
  }),
  forgotPassword: declareCall({
    method: 'POST',
    path: '/functions/v1/forgot-password',
    summary: 'Mails a reset link to a campus address that has an account; says the same when there is none.',
    access: 'anyone',
    body: emailWithAddressSchema,
    output: doneSchema,
    errors: ['campus_address_required', 'mail_off'],
    accountLimits: ['codes_to', 'codes'],
  }),
  resetPassword: declareCall({
    method: 'POST',
    path: '/functions/v1/reset-password',
    summary: 'Sets a new password with the token of a reset link and ends every session.',
    access: 'anyone',
    body: resetPasswordSchema,
    output: doneSchema,
    errors: ['reset_link_invalid', 'weak_password'],
    accountLimits: ['sign_in'],
  }),

  // Profiles
  getMe: declareCall({
    method: 'GET',
    path: '/rest/v1/me',
    summary: "The caller's own profile.",
    access: 'user',
    output: ownProfileSchema,
    errors: [],
  }),
  updateMe: declareCall({
    method: 'PATCH',
    path: '/rest/v1/me',
    summary: "Changes the named fields of the caller's profile.",
    access: 'user',
    body: (_today, campus) => profileChangeSchema(campus),
    output: ownProfileSchema,
    errors: [],
    limit: 'write',
  }),
  deleteMe: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me',
    summary: "Deletes the caller's account for good; messages sent to others stay, without a sender.",
    access: 'user',
    body: deletionSchema,
    output: doneSchema,
    errors: [],
    limit: 'write',
  }),
  downloadMyData: declareCall({
    method: 'GET',
    path: '/rest/v1/me/data',
    summary: 'Everything that is kept about the caller, as a file.',
    access: 'user',
    output: ownDataSchema,
    errors: [],
    limit: 'download',
  }),
  getUser: declareCall({
    method: 'GET',
    path: '/rest/v1/users/{id}',
    summary: 'What everyone may know of a person.',
    access: 'anyone',
    params: idParamsSchema,
    output: publicUserSchema,
    notFound: 'user_not_found',
    errors: [],
  }),

  // Listings
  listListings: declareCall({
    method: 'GET',
    path: '/rest/v1/listings',
    summary: 'Published listings: by category, by search, filtered and ordered, a page at a time.',
    access: 'anyone',
    query: listingQuerySchema,
    output: listingPageSchema,
    errors: [],
  }),
  listSimilarMatches: declareCall({
    method: 'GET',
    path: '/rest/v1/listings/similar-matches',
    summary:
      'Up to twelve published listings, the newest first, with other forms or spellings of the words of a search, but without its text.',
    access: 'anyone',
    query: similarMatchesQuerySchema,
    output: itemListSchema(listingCardSchema),
    errors: [],
  }),
  suggestListings: declareCall({
    method: 'GET',
    path: '/rest/v1/listings/suggestions',
    summary:
      'Up to six published listings whose title contains a text, each title once: those with a word that begins with it first.',
    access: 'anyone',
    query: suggestionQuerySchema,
    output: itemListSchema(suggestedListingSchema),
    errors: [],
  }),
  getListing: declareCall({
    method: 'GET',
    path: '/rest/v1/listings/{slug}',
    summary: 'One published listing.',
    access: 'anyone',
    params: slugParamsSchema,
    output: listingSchema,
    notFound: 'listing_not_found',
    errors: [],
  }),
  listSimilar: declareCall({
    method: 'GET',
    path: '/rest/v1/listings/{slug}/similar',
    summary: 'Up to four other published listings of the same category.',
    access: 'anyone',
    params: slugParamsSchema,
    output: itemListSchema(listingCardSchema),
    notFound: 'listing_not_found',
    errors: [],
  }),
  createListing: declareCall({
    method: 'POST',
    path: '/functions/v1/create-listing',
    summary: 'Creates a listing, or with an id updates one of the caller; as a draft or published.',
    access: 'user',
    body: listingSubmissionSchema,
    output: z.object({ listing: ownListingSchema }),
    errors: ['listing_not_found', 'listing_taken_down'],
    limit: 'post',
  }),
  listMyListings: declareCall({
    method: 'GET',
    path: '/rest/v1/me/listings',
    summary: "A page of the caller's own listings, newest first, with the number of all of them by status.",
    access: 'user',
    query: ownListingQuerySchema,
    output: ownListingPageSchema,
    errors: [],
  }),
  getMyListing: declareCall({
    method: 'GET',
    path: '/rest/v1/me/listings/{id}',
    summary: "One of the caller's own listings.",
    access: 'user',
    params: idParamsSchema,
    output: ownListingSchema,
    notFound: 'listing_not_found',
    errors: [],
  }),
  setListingStatus: declareCall({
    method: 'PATCH',
    path: '/rest/v1/me/listings/{id}',
    summary: 'Publishes a draft (if it is complete) or makes a published listing a draft.',
    access: 'user',
    params: idParamsSchema,
    body: z.object({ status: z.enum(listingStatuses) }),
    output: ownListingSchema,
    notFound: 'listing_not_found',
    errors: ['listing_incomplete', 'listing_taken_down'],
    limit: 'write',
  }),
  deleteListing: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/listings/{id}',
    summary: 'Deletes a listing for good, its photos included.',
    access: 'user',
    params: idParamsSchema,
    output: doneSchema,
    notFound: 'listing_not_found',
    errors: [],
    limit: 'write',
  }),

  // Conversations
  listConversations: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations',
    summary:
      "The caller's conversations, the latest first, fifty at a time, each with listing, other party and last message.",
    access: 'user',
    query: inboxQuerySchema,
    output: inboxSchema,
    errors: [],
  }),
  countUnread: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations/unread',
    summary: 'How many messages the caller has not read, over all conversations.',
    access: 'user',
    output: unreadTotalSchema,
    errors: [],
  }),
  openConversation: declareCall({
    method: 'POST',
    path: '/rest/v1/conversations',
    summary:
      "Finds or creates the caller's conversation about a published listing; the seller sees it from the first message on.",
    access: 'user',
    body: openConversationSchema,
    output: conversationSchema,
    errors: ['listing_not_found', 'own_listing'],
    limit: 'write',
  }),
  findConversation: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations/about/{id}',
    summary: "The caller's conversation about a listing, or null where they may start one.",
    access: 'user',
    params: idParamsSchema,
    output: foundConversationSchema,
    notFound: 'listing_not_found',
    errors: ['own_listing'],
  }),
  getConversation: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations/{id}',
    summary: "One of the caller's conversations.",
    access: 'user',
    params: idParamsSchema,
    output: conversationSchema,
    notFound: 'conversation_not_found',
    errors: [],
  }),
  listMessages: declareCall({
    method: 'GET',
    path: '/rest/v1/conversations/{id}/messages',
    summary: 'Messages of a conversation, oldest first: the newest, those after a seq, or those before one.',
    access: 'user',
    params: idParamsSchema,
    query: messageQuerySchema,
    output: messageListSchema,
    notFound: 'conversation_not_found',
    errors: [],
  }),
  sendMessage: declareCall({
    method: 'POST',
    path: '/rest/v1/conversations/{id}/messages',
    summary: 'Sends a message; the same client_id again answers with the stored message and writes nothing.',
    access: 'user',
    params: idParamsSchema,
    body: sendMessageSchema,
    output: messageSchema,
    notFound: 'conversation_not_found',
    errors: ['recipient_gone', 'rate_limited'],
    limit: 'message',
  }),
  markRead: declareCall({
    method: 'POST',
    path: '/rest/v1/conversations/{id}/read',
    summary: 'Notes that the caller has read up to a seq.',
    access: 'user',
    params: idParamsSchema,
    body: readMarkSchema,
    output: unreadSchema,
    notFound: 'conversation_not_found',
    errors: [],
    limit: 'write',
  }),
  notifySellerNewMessage: declareCall({
    method: 'POST',
    path: '/functions/v1/notify-seller-new-message',
    summary:
      "Makes sure the seller's mail about a first message is queued; it is sent once, however often called.",
    access: 'user',
    body: notifySellerSchema,
    output: doneSchema,
    errors: ['conversation_not_found'],
    limit: 'write',
  }),

  // Forms of the static pages
  sendReport: declareCall({
    method: 'POST',
    path: '/rest/v1/forms/report',
    summary: 'Reports a concern, about a listing or anything else, to the support address.',
    access: 'either',
    body: reportSchema,
    output: doneSchema,
    errors: [],
    limit: 'form',
  }),
  sendContact: declareCall({
    method: 'POST',
    path: '/rest/v1/forms/contact',
    summary: 'Sends a message to the support address.',
    access: 'either',
    body: (_today, campus) => contactSchema(campus),
    output: doneSchema,
    errors: [],
    limit: 'form',
  }),
  requestDataDeletion: declareCall({
    method: 'POST',
    path: '/rest/v1/forms/deletion-request',
    summary: "Asks the support address to delete what is kept about an address's owner.",
    access: 'either',
    body: (_today, campus) => deletionRequestSchema(campus),
    output: doneSchema,
    errors: [],
    limit: 'form',
  }),
} as const;

/**
 * Response of an upload to /storage/v1. The bodies of these routes are files, not JSON, so the routes are not declared
 * in `calls`.
 */
export const objectOutputSchema = z.object({ path: z.string(), publicUrl: z.string() });
