import type { z } from 'zod';
import { type Campus, campusAddressRequiredSentence } from './campus.ts';
import { resumeSentences } from './form-choices.ts';
import { tooManyRequestsSentence } from './limit-sentences.ts';
import { generalErrorSentences } from './trouble.ts';

/** The body of every error response outside /auth/v1. */
export interface ErrorBody {
  /** A message for people. */
  error: string;
  /** A stable code for programs. */
  code: ErrorCode;
  /** Error messages by field name. */
  fields?: Record<string, string>;
}

interface CatalogueEntry {
  status: number;
  sentence: string | ((campus: Campus) => string);
}

/** All errors of this server: code, HTTP status and message (specification §8). */
export const errorCatalogue = {
  // Malformed requests
  validation_failed: { status: 400, sentence: 'Please fix the errors before submitting' },
  malformed_request: { status: 400, sentence: 'The request could not be read.' },
  unsupported_media_type: { status: 415, sentence: 'This kind of content is not accepted here.' },
  too_large: { status: 413, sentence: 'The request is too large.' },
  not_found: { status: 404, sentence: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, sentence: 'This address does not accept this method.' },
  headers_too_large: { status: 431, sentence: 'The headers of the request are too large.' },
  request_timeout: { status: 408, sentence: 'The request took too long to arrive.' },
  rate_limited: { status: 429, sentence: generalErrorSentences.rate_limited },
  internal: { status: 500, sentence: generalErrorSentences.internal },
  unavailable: { status: 503, sentence: generalErrorSentences.unavailable },

  // Accounts
  not_authenticated: { status: 401, sentence: 'Not authenticated' },
  no_authorization: { status: 401, sentence: 'This needs an authorization header' },
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
  refresh_token_unknown: { status: 400, sentence: 'Invalid Refresh Token: Refresh Token Not Found' },
  refresh_token_replayed: { status: 400, sentence: 'Invalid Refresh Token: Already Used' },
  reauthentication_needed: { status: 400, sentence: 'Please log in again to change your password' },
  code_invalid: { status: 400, sentence: 'Invalid or expired code.' },
  code_attempts_used: { status: 429, sentence: 'Too many attempts. Request a new code.' },
  reset_link_invalid: {
    status: 400,
    sentence: 'This link is invalid or has expired. Request a new reset email.',
  },
  campus_address_required: { status: 400, sentence: campusAddressRequiredSentence },

  // Listings
  listing_not_found: {
    status: 404,
    sentence: "Sorry, we couldn't find that listing. It may have been sold or removed.",
  },
  // The thrown error always replaces this message with one that contains the administrator's reason.
  listing_taken_down: { status: 409, sentence: 'This listing was taken down.' },
  listing_incomplete: { status: 400, sentence: 'Please fix the errors before submitting' },

  // Photos
  bucket_not_found: { status: 404, sentence: 'There is no such bucket.' },
  object_not_found: { status: 404, sentence: 'There is no such file.' },
  photo_in_use: { status: 409, sentence: 'This photo is in use.' },
  photo_type: { status: 415, sentence: 'Only JPG, JPEG, PNG, and WEBP images are allowed' },
  photo_too_large: { status: 413, sentence: 'File size must be less than 10MB' },
  photo_unreadable: { status: 422, sentence: 'Failed to upload image. Please try again.' },
  photo_too_many_pixels: { status: 422, sentence: 'Images can have at most 50 megapixels' },
  avatar_type: { status: 415, sentence: 'Please upload an image file' },
  avatar_too_large: { status: 413, sentence: 'Image must be less than 5MB' },
  uploads_busy: { status: 429, sentence: 'Please wait for all photos to finish uploading' },

  // Conversations
  conversation_not_found: { status: 404, sentence: 'Failed to load conversation' },
  own_listing: { status: 409, sentence: 'This is your own listing.' },
  recipient_gone: {
    status: 409,
    sentence: 'This account was deleted. You can still read the conversation.',
  },

  // Forms
  resume_type: { status: 415, sentence: resumeSentences.type },
  resume_too_large: { status: 413, sentence: resumeSentences.tooLarge },

  // Mail
  mail_off: {
    status: 503,
    sentence: ({ supportEmail }) =>
      `This site can't send email, so there are no codes or links. Write to ${supportEmail} for help.`,
  },
  unsubscribe_link_invalid: {
    status: 404,
    sentence: 'This link does not work. You can switch emails off under Settings in your profile.',
  },

  // Profiles
  user_not_found: { status: 404, sentence: 'Failed to load profile' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** Returns an error's message for this campus. */
export const errorSentence = (code: ErrorCode, campus: Campus): string => {
  const { sentence }: CatalogueEntry = errorCatalogue[code];
  return typeof sentence === 'string' ? sentence : sentence(campus);
};

/** An error with a catalogue code: thrown by services, converted to an ErrorBody by the HTTP layer. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** Seconds until a retry makes sense (Retry-After). */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    details: { sentence?: string | undefined; fields?: Record<string, string>; retryAfter?: number } = {},
  ) {
    super(details.sentence ?? '');
    this.name = 'Problem';
    this.code = code;
    this.fields = details.fields;
    this.retryAfter = details.retryAfter;
  }
}

/**
 * Returns the message of a problem: its own one, or else the catalogue's. A rate limit's message states when the limit
 * ends.
 */
export const problemSentence = ({ code, message, retryAfter }: Problem, campus: Campus): string => {
  if (message) return message;
  return code === 'rate_limited' && retryAfter !== undefined
    ? tooManyRequestsSentence(retryAfter, campus)
    : errorSentence(code, campus);
};

/** Creates a problem from the catalogue; `sentence` replaces the catalogue's message with a more specific one. */
export const problem = (
  code: ErrorCode,
  details?: { sentence?: string | undefined; fields?: Record<string, string>; retryAfter?: number },
): Problem => new Problem(code, details);

/** Creates a validation error; the first field's message becomes the overall message. */
export const fieldProblem = (fields: Record<string, string>): Problem => {
  const first = Object.values(fields)[0];
  return new Problem('validation_failed', first === undefined ? { fields } : { sentence: first, fields });
};

/**
 * Returns the first error message of each invalid field. `fieldOf` converts a path to a field name; by default it joins
 * the segments with dots, so the name of an error about the whole value is empty.
 */
export const toFieldErrors = (
  { issues }: z.ZodError,
  fieldOf: (path: readonly PropertyKey[]) => string = (path) => path.join('.'),
): Record<string, string> => {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[fieldOf(path)] ??= message;
  return errors;
};
