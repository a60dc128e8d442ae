import type { z } from 'zod';
import { calls } from '#contract/calls.ts';
import { listingSubmissionSchema, type OwnListing } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { type ListingValues, type Submission, type SubmissionOptions, submissionOf } from './form-values.ts';

const saveFailed = 'Failed to save listing. Please try again.';

export type SaveOutcome =
  | { kind: 'saved'; listing: OwnListing }
  /** The server's messages by field. */
  | { kind: 'invalid'; fields: Record<string, string> }
  | { kind: 'failed'; message: string };

/** Validates what the form would send on the given day on campus, YYYY-MM-DD. Returns the body as the call takes it. */
export const checkListing = (
  values: ListingValues,
  options: SubmissionOptions,
  today: string,
): z.ZodSafeParseResult<Submission> => {
  const body = submissionOf(values, options);
  const checked = listingSubmissionSchema(today).safeParse(body);
  return checked.success
    ? { success: true, data: body as Submission }
    : (checked as z.ZodSafeParseError<Submission>);
};

/** Saves a listing. */
export const saveListing = async (body: Submission): Promise<SaveOutcome> => {
  try {
    const { listing } = await request(calls.createListing, { body });
    return { kind: 'saved', listing };
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'failed', message: saveFailed };
    if (error.fields && Object.keys(error.fields).length > 0)
      return { kind: 'invalid', fields: error.fields };
    return { kind: 'failed', message: error.message || saveFailed };
  }
};
