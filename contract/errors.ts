import type { z } from 'zod';
import { type Campus, formatCampusEmailRequiredMessage } from './campus.ts';
import { resumeErrorMessages } from './form-choices.ts';
import { generalErrorMessages } from './general-error-messages.ts';
import {
  formatTooManyRequestsMessage,
  savedListingsFullMessage,
  savedSearchesFullMessage,
  wantedPostsFullMessage,
} from './limit-messages.ts';
import { maxBlockedPeople } from './paging.ts';
import { maxPasskeys } from './passkeys.ts';

/** The body of every error response outside /auth/v1. */
export interface ErrorBody {
  /** The error message, which clients display to users. */
  error: string;
  /** The code of the error in the error catalog; clients can rely on it. */
  code: ErrorCode;
  /** Error messages of invalid fields, by field name. */
  fields?: Record<string, string>;
  /** The current state of the deal (`dealSchema`); present only when the code is `deal_moved_on`. */
  deal?: object;
  /**
   * Number of seconds until another code can be requested; present only when a request for a code is refused because
   * one was requested less than 30 seconds ago.
   */
  resend_after?: number;
}

const getSignOnName = ({ signOn }: Campus): string => signOn?.name ?? 'your university’s sign-on';

interface CatalogEntry {
  status: number;
  sentence: string | ((campus: Campus) => string);
}

/** All errors of this server: code, HTTP status and message (specification §8). */
export const errorCatalog = {
  // Errors when an administrator answers a submitted form
  form_without_address: { status: 409, sentence: 'The sender of this form left no address.' },
  too_many_answers: {
    status: 409,
    sentence: 'This form has too many answers. Please write from your own mailbox.',
  },

  // Errors that any request can cause
  validation_failed: { status: 400, sentence: 'Please fix the errors before submitting' },
  malformed_request: { status: 400, sentence: 'The request could not be read.' },
  unsupported_media_type: { status: 415, sentence: 'This kind of content is not accepted here.' },
  too_large: { status: 413, sentence: 'The request is too large.' },
  not_found: { status: 404, sentence: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, sentence: 'This address does not accept this method.' },
  headers_too_large: { status: 431, sentence: 'The headers of the request are too large.' },
  request_timeout: { status: 408, sentence: 'The request took too long to arrive.' },
  rate_limited: { status: 429, sentence: generalErrorMessages.rate_limited },
  internal: { status: 500, sentence: generalErrorMessages.internal },
  unavailable: { status: 503, sentence: generalErrorMessages.unavailable },

  // Errors about accounts, sessions and log-ins
  not_authenticated: { status: 401, sentence: 'Not authenticated' },
  no_authorization: { status: 401, sentence: 'This needs an authorization header' },
  role_required: { status: 403, sentence: 'Only moderators and administrators may do this.' },
  last_administrator: { status: 409, sentence: 'There must be at least one administrator.' },
  second_factor_required: {
    status: 403,
    sentence: 'Please log in with your second factor. You can set one up in Settings.',
  },
  account_not_found: { status: 404, sentence: 'No account found. Please sign up.' },
  account_exists: { status: 409, sentence: 'Account already exists. Please log in.' },
  email_not_verified: {
    status: 403,
    sentence: 'Please verify your email. Check your inbox for the verification code.',
  },
  account_suspended: {
    status: 403,
    sentence: ({ supportEmail }) =>
      `This account is suspended. Write to ${supportEmail} if you think this is wrong.`,
  },
  invalid_credentials: { status: 401, sentence: 'Invalid email or password' },
  weak_password: { status: 422, sentence: 'This password is too common and easy to guess' },
  sign_on_required: {
    status: 403,
    sentence: (campus) => `Please use “Continue with ${getSignOnName(campus)}”.`,
  },
  sign_on_unavailable: {
    status: 503,
    sentence: (campus) =>
      `${getSignOnName(campus)} cannot be reached right now. Please try again in a moment.`,
  },
  sign_on_canceled: { status: 400, sentence: 'You are not signed in, because the request was canceled.' },
  sign_on_failed: {
    status: 400,
    sentence: (campus) => `Signing in with ${getSignOnName(campus)} did not work. Please try again.`,
  },
  sign_on_address_missing: {
    status: 403,
    sentence: (campus) =>
      `${getSignOnName(campus)} did not confirm an email address of ${campus.shortName} for you. Write to ${campus.supportEmail} for help.`,
  },
  sign_on_taken: {
    status: 409,
    sentence: (campus) => `This ${getSignOnName(campus)} belongs to another account. Log in with it there.`,
  },
  sign_on_differs: {
    status: 409,
    sentence: (campus) =>
      `This account is connected with another ${getSignOnName(campus)}. Write to ${campus.supportEmail} for help.`,
  },
  sign_on_other_person: {
    status: 409,
    sentence: (campus) => `This is not the ${getSignOnName(campus)} of your account. Try again with yours.`,
  },
  sign_on_not_proved: {
    status: 400,
    sentence: (campus) =>
      `${getSignOnName(campus)} did not say that you entered your password just now, so it is no proof. Try again, or write to ${campus.supportEmail} for help.`,
  },
  account_proof_needed: {
    status: 409,
    sentence: 'There is already an account with your address. Please confirm once that it is yours.',
  },
  added_address_proof_needed: {
    status: 409,
    sentence:
      'Somebody added your address to their account. Please confirm once that it is yours, or start a new one.',
  },
  account_not_connected: {
    status: 409,
    sentence: (campus) =>
      `There is already an account with your address. Log in to it on the website once with ${getSignOnName(campus)}.`,
  },
  identity_not_found: { status: 404, sentence: 'This is not connected.' },
  passkey_refused: { status: 400, sentence: 'This passkey could not be checked. Please try again.' },
  passkey_challenge_expired: { status: 400, sentence: 'This took too long. Please try again.' },
  passkey_unknown: {
    status: 404,
    sentence: 'This passkey belongs to no account here. Please log in another way.',
  },
  passkey_not_found: { status: 404, sentence: 'This passkey was removed already.' },
  passkey_exists: { status: 409, sentence: 'This passkey has been added already.' },
  too_many_passkeys: {
    status: 409,
    sentence: `You can have ${maxPasskeys} passkeys. Remove one to add another.`,
  },
  refresh_token_unknown: { status: 400, sentence: 'Invalid Refresh Token: Refresh Token Not Found' },
  refresh_token_replayed: { status: 400, sentence: 'Invalid Refresh Token: Already Used' },
  reauthentication_needed: { status: 400, sentence: 'Please log in again to change your password' },
  session_not_found: { status: 404, sentence: 'This session has already ended.' },
  second_factor_not_found: { status: 404, sentence: 'Two-step verification is not set up.' },
  second_factor_exists: { status: 409, sentence: 'Two-step verification is already set up.' },
  second_factor_code_wrong: { status: 400, sentence: 'This code is not right. Please try again.' },
  second_factor_lost: {
    status: 409,
    sentence: ({ supportEmail }) =>
      `We can no longer check codes of this app. Write to ${supportEmail} to have it removed.`,
  },
  second_factor_challenge_expired: { status: 400, sentence: 'This took too long. Please enter a new code.' },
  code_invalid: { status: 400, sentence: 'Invalid or expired code.' },
  code_attempts_used: { status: 429, sentence: 'Too many attempts. Request a new code.' },
  reset_link_invalid: {
    status: 400,
    sentence: 'This link is invalid or has expired. Request a new reset email.',
  },
  campus_address_required: { status: 400, sentence: formatCampusEmailRequiredMessage },
  campus_address_taken: {
    status: 409,
    sentence: ({ supportEmail }) =>
      `This address belongs to another account. Log in there, or write to ${supportEmail} for help.`,
  },
  already_verified: { status: 409, sentence: 'Your account is already verified.' },
  badge_removed: {
    status: 403,
    sentence: ({ supportEmail }) =>
      `The verified badge was removed from this account. Write to ${supportEmail} if you think this is wrong.`,
  },

  membership_ended: {
    status: 403,
    sentence: 'Your campus membership has ended. Confirm it in Settings to go on.',
  },
  membership_unconfirmable: {
    status: 409,
    sentence: ({ supportEmail }) =>
      `This membership cannot be confirmed by email. Log in with your university, or write to ${supportEmail}.`,
  },
  membership_link_invalid: {
    status: 404,
    sentence: 'This link does not work. You can confirm your membership in Settings.',
  },
  membership_link_expired: {
    status: 410,
    sentence: 'This link has expired. You can confirm your membership in Settings.',
  },

  // Errors about listings
  course_not_found: { status: 404, sentence: 'There is no such course.' },
  listing_not_found: {
    status: 404,
    sentence: "Sorry, we couldn't find that listing. It may have been sold or removed.",
  },
  // This message is never shown. The code that throws this error passes its own message, which contains the
  // administrator's reason.
  listing_taken_down: { status: 409, sentence: 'This listing was taken down.' },
  listing_incomplete: { status: 400, sentence: 'Please fix the errors before submitting' },
  listing_not_published: { status: 409, sentence: 'This listing is not published.' },
  listing_sold: { status: 409, sentence: 'This listing is sold. Relist it to change it.' },
  listing_not_ended: {
    status: 409,
    sentence: 'Only a listing that is sold or no longer shown can be posted again.',
  },
  // The code that throws this error adds the day of return.
  seller_away: { status: 409, sentence: 'The seller is away. You can send a message.' },
  sale_confirmed: { status: 409, sentence: 'This sale was confirmed and can no longer be changed.' },
  sale_answer_late: { status: 409, sentence: 'It is too late to answer this question.' },

  // Errors about photos and their upload
  bucket_not_found: { status: 404, sentence: 'There is no such bucket.' },
  object_not_found: { status: 404, sentence: 'There is no such file.' },
  photo_in_use: { status: 409, sentence: 'This photo is in use.' },
  photo_type: { status: 415, sentence: 'Only JPG, JPEG, PNG, and WEBP images are allowed' },
  photo_too_large: { status: 413, sentence: 'File size must be less than 10MB' },
  photo_unreadable: { status: 422, sentence: 'Failed to upload image. Please try again.' },
  photo_truncated: { status: 422, sentence: 'A part of this image is missing. Please choose it again.' },
  photo_too_many_pixels: { status: 422, sentence: 'Images can have at most 50 megapixels' },
  message_photo_gone: { status: 422, sentence: 'A photo is no longer available. Please add it again.' },
  avatar_type: { status: 415, sentence: 'Please upload an image file' },
  avatar_too_large: { status: 413, sentence: 'Image must be less than 5MB' },
  uploads_busy: { status: 429, sentence: 'Please wait for all photos to finish uploading' },

  // Errors about conversations, saved listings and saved searches
  conversation_not_found: { status: 404, sentence: 'Failed to load conversation' },
  message_not_found: { status: 404, sentence: 'Failed to load message' },
  message_unsend_late: { status: 409, sentence: 'It is too late to unsend this message.' },
  saved_listings_full: { status: 409, sentence: savedListingsFullMessage },
  saved_search_not_found: { status: 404, sentence: 'This search is no longer saved.' },
  wanted_post_not_found: { status: 404, sentence: 'Nobody is looking for this any more.' },
  wanted_posts_full: { status: 409, sentence: wantedPostsFullMessage },
  wanted_post_taken_down: { status: 409, sentence: 'A moderator took this post down.' },
  own_wanted_post: { status: 409, sentence: 'You are looking for this yourself.' },
  saved_searches_full: { status: 409, sentence: savedSearchesFullMessage },
  own_listing: { status: 409, sentence: 'This is your own listing.' },
  // The message is the same for a blocked and for a suspended person, so that nobody learns that they were
  // blocked.
  contact_refused: { status: 403, sentence: "You can't contact this person right now." },
  recipient_gone: {
    status: 409,
    sentence: 'This account was deleted. You can still read the conversation.',
  },

  // Errors about deals
  handover_not_agreed: { status: 409, sentence: 'No time is agreed yet.' },
  deal_not_found: { status: 404, sentence: 'Failed to load deal' },
  rental_photos_closed: {
    status: 409,
    sentence: 'Photos of this step can no longer be added.',
  },
  rental_photos_kept: {
    status: 409,
    sentence: "These photos can't be removed any more: they show the condition of the rented item.",
  },
  deal_moved_on: { status: 409, sentence: 'This deal has changed in the meantime.' },
  open_deal: {
    status: 409,
    sentence: 'Somebody has an open deal about this listing. Please look at it in My Listings first.',
  },
  sale_in_deal: { status: 409, sentence: 'You have a deal about this item. Please answer there.' },
  handover_unconfirmed: {
    status: 409,
    sentence: 'You handed this item over. You can change this when the other person confirmed it.',
  },
  rental_out: {
    status: 409,
    sentence: 'This item is rented out. You can delete the listing when it is back.',
  },
  rental_unfinished: {
    status: 409,
    sentence: 'Finish your rental first. You can delete your account when the item is back.',
  },
  campus_badge_required: {
    status: 403,
    sentence:
      'Only people with a verified campus address take part in a draw. You can add yours in Settings.',
  },
  too_many_offers: { status: 409, sentence: 'You have too many open offers.' },

  // Errors when somebody submits a form
  resume_type: { status: 415, sentence: resumeErrorMessages.type },
  resume_too_large: { status: 413, sentence: resumeErrorMessages.tooLarge },

  // Errors about email
  mail_off: {
    status: 503,
    sentence: ({ supportEmail }) =>
      `This site can't send email, so there are no codes or links. Write to ${supportEmail} for help.`,
  },
  unsubscribe_link_invalid: {
    status: 404,
    sentence: 'This link does not work. You can switch emails off under Settings in your profile.',
  },
  question_answered: {
    status: 409,
    sentence: 'This question is already answered. You can change the listing in My Listings.',
  },
  availability_link_invalid: {
    status: 404,
    sentence: 'This link does not work. You can answer in My Listings.',
  },
  availability_link_expired: {
    status: 410,
    sentence: 'This link has expired. You can answer in My Listings.',
  },

  // Errors about reviews, reports and profiles
  review_not_possible: {
    status: 409,
    sentence: 'This deal cannot be reviewed, or its reviews are already public',
  },
  report_subject_not_found: { status: 404, sentence: 'What you want to report no longer exists.' },
  case_not_found: { status: 404, sentence: 'There is no such case.' },
  case_assigned: { status: 409, sentence: 'Another moderator is working on this case.' },
  case_resolved: { status: 409, sentence: 'This case is resolved.' },
  own_case: { status: 409, sentence: 'This case is about you. Another moderator has to decide it.' },
  action_not_found: { status: 404, sentence: 'There is no such action.' },
  action_pending: { status: 409, sentence: 'An action about this case is about to take effect.' },
  action_not_possible: { status: 409, sentence: 'This is not possible for this case.' },
  listing_changed: {
    status: 409,
    sentence: 'The owner changed this listing after you opened the case. Please look at it again.',
  },
  appeal_unread: {
    status: 409,
    sentence: 'Somebody has appealed after you opened the case. Please read the appeal first.',
  },
  report_unread: {
    status: 409,
    sentence: 'This case has a new report or signal since you opened it. Please read it first.',
  },
  action_took_effect: { status: 409, sentence: 'This action has already taken effect.' },
  administrator_required: {
    status: 403,
    sentence:
      'Only an administrator can do this: an administrator decided it, or the person has a role in the console.',
  },
  other_moderator_required: {
    status: 409,
    sentence: 'Another moderator has to decide this case, because you reported it or decided it before.',
  },
  decision_not_found: { status: 404, sentence: 'There is no such decision.' },
  appeal_not_possible: { status: 409, sentence: 'This decision has already been reversed.' },
  appeal_exists: { status: 409, sentence: "You've already appealed this decision." },
  own_report: { status: 409, sentence: "You can't report yourself or something of your own." },
  user_not_found: { status: 404, sentence: 'Failed to load profile' },
  own_account: { status: 409, sentence: 'This is your own account.' },
  blocks_full: {
    status: 409,
    sentence: `You have blocked ${maxBlockedPeople} people, which is the maximum. Unblock somebody first, in Settings.`,
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof errorCatalog;

/** Returns the error catalog's message for a code, with the names of this campus. */
export const formatErrorMessage = (code: ErrorCode, campus: Campus): string => {
  const { sentence }: CatalogEntry = errorCatalog[code];
  return typeof sentence === 'string' ? sentence : sentence(campus);
};

interface ProblemDetails {
  sentence?: string | undefined;
  fields?: Record<string, string>;
  retryAfter?: number;
  resendAfter?: number | undefined;
  deal?: object;
}

/**
 * An error with a code of the error catalog. Services throw it, and the HTTP layer converts it to an
 * ErrorBody.
 */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** Number of seconds after which the client may retry; sent in the Retry-After header. */
  readonly retryAfter: number | undefined;
  /** Number of seconds until another code can be requested, when a code was requested moments ago. */
  readonly resendAfter: number | undefined;
  /**
   * The current state of the deal, when a transition failed because the deal had changed; sent in the
   * response body.
   */
  readonly deal: object | undefined;

  constructor(code: ErrorCode, details: ProblemDetails = {}) {
    super(details.sentence ?? '');
    this.name = 'Problem';
    this.code = code;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
    this.resendAfter = details.resendAfter;
    this.deal = details.deal;
  }
}

/**
 * Returns the message that the problem was created with, or by default the catalog's message for its code.
 * The message of a rate limit says how long to wait.
 */
export const formatProblemMessage = ({ code, message, retryAfter }: Problem, campus: Campus): string => {
  if (message) return message;
  return code === 'rate_limited' && retryAfter !== undefined
    ? formatTooManyRequestsMessage(retryAfter, campus)
    : formatErrorMessage(code, campus);
};

/**
 * Creates a problem with a code of the error catalog. `details.sentence` replaces the catalog's message
 * with a more specific one.
 */
export const createProblem = (code: ErrorCode, details?: ProblemDetails): Problem =>
  new Problem(code, details);

/**
 * Creates a validation error from error messages by field name. The first message also becomes the message of
 * the whole error.
 */
export const createFieldProblem = (fields: Record<string, string>): Problem => {
  const first = Object.values(fields)[0];
  return new Problem('validation_failed', first === undefined ? { fields } : { sentence: first, fields });
};

/**
 * Returns the first error message of each invalid field, by field name. `fieldOf` converts the path
 * of an invalid value to a field name; by default it joins the segments of the path with dots. An
 * error about the whole input has an empty path, so its field name is empty.
 */
export const toFieldErrors = (
  { issues }: z.ZodError,
  fieldOf: (path: readonly PropertyKey[]) => string = (path) => path.join('.'),
): Record<string, string> => {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[fieldOf(path)] ??= message;
  return errors;
};
