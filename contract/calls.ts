import { z } from 'zod';
import {
  authPasswordResponseSchema,
  campusAddressSchema,
  campusCodeSchema,
  emailWithIpAddressSchema,
  loginSchema,
  resetPasswordSchema,
  sendVerificationCodeSchema,
  signupSchema,
  successSchema,
  verifyOtpSchema,
} from './accounts.ts';
import type { Campus } from './campus.ts';
import {
  conversationLookupSchema,
  conversationSchema,
  inboxQuerySchema,
  inboxSchema,
  messageListSchema,
  messageQuerySchema,
  messageSchema,
  notifySellerSchema,
  openConversationSchema,
  readMarkSchema,
  sendMessageSchema,
  unreadCountsSchema,
  unreadTotalSchema,
} from './conversations.ts';
import {
  dealPageSchema,
  dealQuerySchema,
  dealQueueSchema,
  dealSchema,
  dealTransitionSchema,
  listingDealInfoSchema,
  startDealSchema,
} from './deals.ts';
import type { ErrorCode } from './errors.ts';
import { contactSchema, deletionRequestSchema, reportSchema } from './forms.ts';
import type { RateLimitName } from './limits.ts';
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
  listingRestoreSeconds,
  listingSchema,
  listingSubmissionSchema,
  markSoldSchema,
  ownListingSchema,
  saleAnswerSchema,
  settableListingStatuses,
} from './listings.ts';
import { meetingSpotSchema } from './meeting-spots.ts';
import {
  notificationPageSchema,
  notificationQuerySchema,
  notificationSettingsChangeSchema,
  notificationSettingsSchema,
  notificationTotalSchema,
  readNotificationsSchema,
} from './notifications.ts';
import { ownDataSchema } from './own-data.ts';
import {
  accountDeletionSchema,
  ownProfileSchema,
  profileChangeSchema,
  publicProfileSchema,
  publicUserSchema,
} from './profiles.ts';
import { dealReviewsSchema, reviewBodySchema, reviewPageSchema, reviewQuerySchema } from './reviews.ts';
import { savedIdsSchema, savedListingPageSchema, savedListingQuerySchema } from './saved-listings.ts';
import {
  listedSearchSchema,
  savedSearchChangeSchema,
  savedSearchBodySchema,
  savedSearchSchema,
} from './saved-searches.ts';
import { idSchema } from './text.ts';

/**
 * Declaration of an API call. The server's route, the browser's client and the documentation are
 * derived from it.
 */
export interface CallShape {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path, with {name} for each parameter. */
  path: string;
  summary: string;
  /**
   * The callers that may use this call: `anyone` (sessions are ignored), `either` (a session is
   * optional) or `user` (a session is required).
   */
  access: 'anyone' | 'either' | 'user';
  params?: z.ZodType;
  query?: z.ZodType;
  /**
   * The schema of the request body, or a function that returns it for a campus and the current date
   * there (YYYY-MM-DD).
   */
  body?: z.ZodType | ((today: string, campus: Campus) => z.ZodType);
  output: z.ZodType;
  /** Media type and name of the file that the output, a text, is served as; JSON without it. */
  file?: { type: string; name: string };
  /** The error when the resource in the path does not exist or a path parameter is invalid. */
  notFound?: ErrorCode;
  /**
   * Further errors that this call can return, besides `notFound` and the errors common to all
   * calls.
   */
  errors: readonly ErrorCode[];
  limit?: RateLimitName;
  /**
   * Rate limits that the accounts service applies instead of the route, because devices known to an
   * account are exempt from them.
   */
  accountLimits?: readonly RateLimitName[];
}

/** Returns the codes of all errors that a call declares, `notFound` first. */
export const listDeclaredErrors = ({ notFound, errors }: CallShape): readonly ErrorCode[] =>
  notFound === undefined ? errors : [notFound, ...errors];

/** Returns the declaration unchanged; lets TypeScript check it and keep its literal types. */
const declareCall = <const Shape extends CallShape>(shape: Shape): Shape => shape;

type ResolvedSchema<T> = T extends (today: string, campus: Campus) => infer Schema ? Schema : T;
type SchemaInput<T> = ResolvedSchema<T> extends z.ZodType ? z.input<ResolvedSchema<T>> : undefined;
type SchemaOutput<T> = ResolvedSchema<T> extends z.ZodType ? z.output<ResolvedSchema<T>> : undefined;

/** The parts of a request as the caller passes them, before validation. */
export type CallInput<C extends CallShape> = {
  [Part in 'params' | 'query' | 'body' as C extends Record<Part, unknown> ? Part : never]: SchemaInput<
    C[Part]
  >;
};
/** The parts of a request as the handler receives them, validated and transformed by the schemas. */
export type ParsedCallInput<C extends CallShape> = {
  params: SchemaOutput<C['params']>;
  query: SchemaOutput<C['query']>;
  body: SchemaOutput<C['body']>;
};
export type CallOutput<C extends CallShape> = z.output<C['output']>;

const idParamsSchema = z.object({ id: idSchema });
const savedListingParamsSchema = z.object({ listing_id: idSchema });
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
    output: successSchema,
    errors: ['account_exists', 'campus_address_required', 'weak_password', 'mail_off'],
    accountLimits: ['codes_to', 'sign_up'],
  }),
  sendVerificationCode: declareCall({
    method: 'POST',
    path: '/functions/v1/send-verification-code',
    summary: 'Mails a new code for an account that is not verified yet.',
    access: 'anyone',
    body: sendVerificationCodeSchema,
    output: successSchema,
    errors: ['mail_off'],
    accountLimits: ['codes_to', 'codes'],
  }),
  sendOtp: declareCall({
    method: 'POST',
    path: '/functions/v1/send-otp',
    summary: 'Mails a code to log in with.',
    access: 'anyone',
    body: emailWithIpAddressSchema,
    output: successSchema,
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
    errors: ['code_invalid', 'code_attempts_used', 'account_suspended', 'campus_address_taken'],
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
    body: emailWithIpAddressSchema,
    output: successSchema,
    errors: ['campus_address_required', 'mail_off'],
    accountLimits: ['codes_to', 'codes'],
  }),
  resetPassword: declareCall({
    method: 'POST',
    path: '/functions/v1/reset-password',
    summary: 'Sets a new password with the token of a reset link and ends every session.',
    access: 'anyone',
    body: resetPasswordSchema,
    output: successSchema,
    errors: ['reset_link_invalid', 'weak_password', 'campus_address_taken'],
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
  requestCampusCode: declareCall({
    method: 'POST',
    path: '/rest/v1/me/campus-address',
    summary:
      'Mails a code to a campus address that the caller adds to the account; the response does not say whether it belongs to another account.',
    access: 'user',
    body: (_today, campus) => campusAddressSchema(campus),
    output: ownProfileSchema,
    errors: ['already_verified', 'badge_removed', 'mail_off'],
    limit: 'write',
    accountLimits: ['codes_to', 'codes', 'own_campus_codes', 'campus_codes'],
  }),
  verifyCampusAddress: declareCall({
    method: 'POST',
    path: '/rest/v1/me/campus-address/verify',
    summary: 'Verifies the added campus address with its code, which sets the badge.',
    access: 'user',
    body: campusCodeSchema,
    output: ownProfileSchema,
    errors: [
      'code_invalid',
      'code_attempts_used',
      'campus_address_taken',
      'already_verified',
      'badge_removed',
    ],
    limit: 'write',
  }),
  removeCampusAddress: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/campus-address',
    summary: 'Removes the added campus address, and the badge that it earned.',
    access: 'user',
    output: ownProfileSchema,
    errors: [],
    limit: 'write',
  }),
  deleteMe: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me',
    summary: "Deletes the caller's account for good; messages sent to others stay, without a sender.",
    access: 'user',
    body: accountDeletionSchema,
    output: successSchema,
    errors: ['rental_unfinished'],
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
    summary: "A person's public profile; one that is suspended or not confirmed yet is not found.",
    access: 'anyone',
    params: idParamsSchema,
    output: publicProfileSchema,
    notFound: 'user_not_found',
    errors: [],
  }),

  listUserReviews: declareCall({
    method: 'GET',
    path: '/rest/v1/users/{id}/reviews',
    summary: 'The public reviews of a person, the newest first, ten at a time.',
    access: 'anyone',
    params: idParamsSchema,
    query: reviewQuerySchema,
    output: reviewPageSchema,
    notFound: 'user_not_found',
    errors: [],
  }),
  getDealReviews: declareCall({
    method: 'GET',
    path: '/rest/v1/deals/{id}/review',
    summary: "The caller's review of a deal, and the other party's once both exist or 14 days have passed.",
    access: 'user',
    params: idParamsSchema,
    output: dealReviewsSchema,
    notFound: 'deal_not_found',
    errors: [],
  }),
  reviewDeal: declareCall({
    method: 'POST',
    path: '/rest/v1/deals/{id}/review',
    summary:
      "Writes the caller's review of a completed deal within 14 days, or replaces it until it is public.",
    access: 'user',
    params: idParamsSchema,
    body: reviewBodySchema,
    output: dealReviewsSchema,
    notFound: 'deal_not_found',
    errors: ['review_not_possible'],
    limit: 'write',
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
    summary: 'One published listing, or one that was sold in the last 90 days, without its contact details.',
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
    errors: ['listing_not_found', 'listing_taken_down', 'listing_sold', 'handover_unconfirmed'],
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
    body: z.object({ status: z.enum(settableListingStatuses) }),
    output: ownListingSchema,
    notFound: 'listing_not_found',
    errors: ['listing_incomplete', 'listing_taken_down', 'listing_sold', 'handover_unconfirmed'],
    limit: 'write',
  }),
  deleteListing: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/listings/{id}',
    summary: `Deletes a listing with its photos. It can be restored for ${listingRestoreSeconds} seconds.`,
    access: 'user',
    params: idParamsSchema,
    output: successSchema,
    notFound: 'listing_not_found',
    errors: ['rental_out', 'handover_unconfirmed'],
    limit: 'write',
  }),
  restoreListing: declareCall({
    method: 'POST',
    path: '/rest/v1/me/listings/{id}/restore',
    summary: `Restores a listing that was deleted in the last ${listingRestoreSeconds} seconds, with its earlier status.`,
    access: 'user',
    params: idParamsSchema,
    output: ownListingSchema,
    notFound: 'listing_not_found',
    errors: [],
    limit: 'write',
  }),
  markListingSold: declareCall({
    method: 'POST',
    path: '/rest/v1/me/listings/{id}/sold',
    summary:
      'Marks a published listing as sold or given away, or as rented: until a day, or for good. A person who is named is asked to confirm it within 14 days.',
    access: 'user',
    params: idParamsSchema,
    body: markSoldSchema,
    output: ownListingSchema,
    notFound: 'listing_not_found',
    errors: ['listing_not_published', 'sale_confirmed', 'handover_unconfirmed'],
    limit: 'write',
  }),
  relistListing: declareCall({
    method: 'POST',
    path: '/rest/v1/me/listings/{id}/relist',
    summary: 'Publishes a sold or rented listing again, unless somebody has confirmed the sale.',
    access: 'user',
    params: idParamsSchema,
    output: ownListingSchema,
    notFound: 'listing_not_found',
    errors: ['sale_confirmed', 'handover_unconfirmed'],
    limit: 'write',
  }),
  listInterestedPeople: declareCall({
    method: 'GET',
    path: '/rest/v1/me/listings/{id}/people',
    summary: "The people who wrote about one of the caller's listings: the latest fifty.",
    access: 'user',
    params: idParamsSchema,
    output: itemListSchema(publicUserSchema),
    notFound: 'listing_not_found',
    errors: [],
  }),
  answerSale: declareCall({
    method: 'POST',
    path: '/rest/v1/listings/{id}/sale-answer',
    summary: 'Confirms or denies that the caller got a listing, which its seller said.',
    access: 'user',
    params: idParamsSchema,
    body: saleAnswerSchema,
    output: successSchema,
    notFound: 'listing_not_found',
    errors: ['sale_confirmed', 'sale_answer_late', 'sale_in_deal'],
    limit: 'write',
  }),

  // Saved listings
  listSavedListings: declareCall({
    method: 'GET',
    path: '/rest/v1/me/saved-listings',
    summary:
      'The listings that the caller saved, the latest saves first, 24 at a time, as they were then and as they are now.',
    access: 'user',
    query: savedListingQuerySchema,
    output: savedListingPageSchema,
    errors: [],
  }),
  listSavedIds: declareCall({
    method: 'GET',
    path: '/rest/v1/me/saved-listings/ids',
    summary: 'The ids of all listings that the caller saved, the latest saves first.',
    access: 'user',
    output: savedIdsSchema,
    errors: [],
  }),
  saveListing: declareCall({
    method: 'PUT',
    path: '/rest/v1/me/saved-listings/{listing_id}',
    summary: 'Saves a listing of somebody else; nothing changes when it is saved already.',
    access: 'user',
    params: savedListingParamsSchema,
    output: successSchema,
    notFound: 'listing_not_found',
    errors: ['own_listing', 'saved_listings_full'],
    limit: 'write',
  }),
  saveListings: declareCall({
    method: 'POST',
    path: '/rest/v1/me/saved-listings',
    summary:
      'Saves the listings that were saved while nobody was signed in, if they exist and there is room; returns the ids of everything that is saved.',
    access: 'user',
    body: savedIdsSchema,
    output: savedIdsSchema,
    errors: [],
    limit: 'write',
  }),
  removeSavedListing: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/saved-listings/{listing_id}',
    summary: 'Removes a listing from those that the caller saved; nothing changes when it is not saved.',
    access: 'user',
    params: savedListingParamsSchema,
    output: successSchema,
    notFound: 'listing_not_found',
    errors: [],
    limit: 'write',
  }),
  removeUnavailableListings: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/saved-listings/unavailable',
    summary: 'Removes the listings from those that the caller saved that are sold or no longer available.',
    access: 'user',
    output: successSchema,
    errors: [],
    limit: 'write',
  }),

  // Saved searches
  listSavedSearches: declareCall({
    method: 'GET',
    path: '/rest/v1/me/saved-searches',
    summary:
      'The searches that the caller saved, at most 25, the latest first, each with the number of matches since the last visit.',
    access: 'user',
    output: itemListSchema(listedSearchSchema),
    errors: [],
  }),
  saveSearch: declareCall({
    method: 'POST',
    path: '/rest/v1/me/saved-searches',
    summary:
      'Saves a search text with filters, as the call that lists listings takes them. A search that is saved already gets the new name and alert.',
    access: 'user',
    body: savedSearchBodySchema,
    output: savedSearchSchema,
    errors: ['saved_searches_full'],
    limit: 'write',
  }),
  changeSavedSearch: declareCall({
    method: 'PATCH',
    path: '/rest/v1/me/saved-searches/{id}',
    summary:
      'Changes the name, the query or the alert of a saved search, or records that the caller looks at its results.',
    access: 'user',
    params: idParamsSchema,
    body: savedSearchChangeSchema,
    output: savedSearchSchema,
    notFound: 'saved_search_not_found',
    errors: [],
    limit: 'write',
  }),
  deleteSavedSearch: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/saved-searches/{id}',
    summary: 'Deletes a saved search; nothing changes when it is deleted already.',
    access: 'user',
    params: idParamsSchema,
    output: successSchema,
    notFound: 'saved_search_not_found',
    errors: [],
    limit: 'write',
  }),

  // Notifications
  listNotifications: declareCall({
    method: 'GET',
    path: '/rest/v1/notifications',
    summary: 'What the caller was notified about in the app, the latest first, thirty at a time.',
    access: 'user',
    query: notificationQuerySchema,
    output: notificationPageSchema,
    errors: [],
  }),
  readNotifications: declareCall({
    method: 'POST',
    path: '/rest/v1/notifications/read',
    summary: 'Marks notifications of the caller as read, or all of them; returns how many are unread then.',
    access: 'user',
    body: readNotificationsSchema,
    output: notificationTotalSchema,
    errors: [],
    limit: 'write',
  }),
  getNotificationSettings: declareCall({
    method: 'GET',
    path: '/rest/v1/me/notification-settings',
    summary:
      'Which notifications the caller gets on which channel, the quiet hours, and when the daily email is sent.',
    access: 'user',
    output: notificationSettingsSchema,
    errors: [],
  }),
  changeNotificationSettings: declareCall({
    method: 'PATCH',
    path: '/rest/v1/me/notification-settings',
    summary:
      'Changes notification settings; what the body leaves out stays. Applies to what is already waiting to be sent.',
    access: 'user',
    body: notificationSettingsChangeSchema,
    output: notificationSettingsSchema,
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
    output: conversationLookupSchema,
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
    output: unreadCountsSchema,
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
    output: successSchema,
    errors: ['conversation_not_found'],
    limit: 'write',
  }),

  // Deals
  startDeal: declareCall({
    method: 'POST',
    path: '/rest/v1/deals',
    summary:
      'Starts a deal about a published listing, as its buyer; the same client_id again answers with the deal that was started.',
    access: 'user',
    body: startDealSchema,
    output: dealSchema,
    errors: [
      'listing_not_found',
      'own_listing',
      'deal_moved_on',
      'campus_badge_required',
      'too_many_offers',
      'rate_limited',
    ],
    limit: 'deal',
  }),
  takeDealTransition: declareCall({
    method: 'POST',
    path: '/rest/v1/deals/{id}/transitions',
    summary:
      'Takes one step in a deal; the same client_id again changes nothing. Where the step is not possible (any more), the error contains the deal as it is now.',
    access: 'user',
    params: idParamsSchema,
    body: dealTransitionSchema,
    output: dealSchema,
    notFound: 'deal_not_found',
    errors: ['deal_moved_on'],
    limit: 'deal',
  }),
  listDeals: declareCall({
    method: 'GET',
    path: '/rest/v1/deals',
    summary: "The caller's deals, the newest first, thirty at a time.",
    access: 'user',
    query: dealQuerySchema,
    output: dealPageSchema,
    errors: [],
  }),
  findListingDeal: declareCall({
    method: 'GET',
    path: '/rest/v1/deals/about/{id}',
    summary: "The caller's open deal about a listing, and how many other people have an open offer.",
    access: 'user',
    params: idParamsSchema,
    output: listingDealInfoSchema,
    notFound: 'listing_not_found',
    errors: [],
  }),
  getDeal: declareCall({
    method: 'GET',
    path: '/rest/v1/deals/{id}',
    summary: "One of the caller's deals.",
    access: 'user',
    params: idParamsSchema,
    output: dealSchema,
    notFound: 'deal_not_found',
    errors: [],
  }),
  downloadHandoverCalendar: declareCall({
    method: 'GET',
    path: '/rest/v1/deals/{id}/calendar',
    summary: "The agreed handover of one of the caller's deals as an iCalendar file.",
    access: 'user',
    params: idParamsSchema,
    output: z.string(),
    file: { type: 'text/calendar; charset=utf-8', name: 'handover.ics' },
    notFound: 'deal_not_found',
    errors: ['handover_not_agreed'],
  }),
  listDealsOfListing: declareCall({
    method: 'GET',
    path: '/rest/v1/me/listings/{id}/deals',
    summary:
      "The open deals of one of the caller's listings: the hold first, then the offers in their order.",
    access: 'user',
    params: idParamsSchema,
    output: dealQueueSchema,
    notFound: 'listing_not_found',
    errors: [],
  }),

  // Handovers
  listMeetingSpots: declareCall({
    method: 'GET',
    path: '/rest/v1/meeting-spots',
    summary: 'The meeting spots of the campus by name; facts that no administrator has confirmed are null.',
    access: 'anyone',
    output: itemListSchema(meetingSpotSchema),
    errors: [],
  }),

  // Forms of the static pages
  sendReport: declareCall({
    method: 'POST',
    path: '/rest/v1/forms/report',
    summary: 'Reports a concern, about a listing or anything else, to the support address.',
    access: 'either',
    body: reportSchema,
    output: successSchema,
    errors: [],
    limit: 'form',
  }),
  sendContact: declareCall({
    method: 'POST',
    path: '/rest/v1/forms/contact',
    summary: 'Sends a message to the support address.',
    access: 'either',
    body: (_today, campus) => contactSchema(campus),
    output: successSchema,
    errors: [],
    limit: 'form',
  }),
  requestDataDeletion: declareCall({
    method: 'POST',
    path: '/rest/v1/forms/deletion-request',
    summary: "Asks the support address to delete what is kept about an address's owner.",
    access: 'either',
    body: (_today, campus) => deletionRequestSchema(campus),
    output: successSchema,
    errors: [],
    limit: 'form',
  }),
} as const;

/**
 * Response of an upload to /storage/v1. The upload routes are not declared in `calls`, because
 * their request bodies are files, not JSON.
 */
export const uploadResponseSchema = z.object({ path: z.string(), publicUrl: z.string() });
