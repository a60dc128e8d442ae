import { calls } from '#contract/calls.ts';
import { toFieldErrors } from '#contract/field-errors.ts';
import { listingSubmissionSchema, type OwnListing } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { type ListingValues, type Submission, type SubmissionOptions, submissionOf } from './form-values.ts';

const saveFailed = 'Failed to save listing. Please try again.';

export type SaveOutcome =
  | { kind: 'saved'; listing: OwnListing }
  /** Messages by field, from the browser's or the server's validation. */
  | { kind: 'invalid'; fields: Record<string, string> }
  | { kind: 'failed'; message: string };

export interface SaveOptions extends SubmissionOptions {
  /** Today on campus, YYYY-MM-DD. */
  today: string;
}

/** Validates a listing with the server's schema, then saves it. */
export const saveListing = async (values: ListingValues, options: SaveOptions): Promise<SaveOutcome> => {
  const body = submissionOf(values, options);
  const checked = listingSubmissionSchema(options.today).safeParse(body);
  if (!checked.success) {
    return { kind: 'invalid', fields: toFieldErrors(checked.error, ([field = '']) => String(field)) };
  }
  try {
    const { listing } = await request(calls.createListing, { body: body as Submission });
    return { kind: 'saved', listing };
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'failed', message: saveFailed };
    if (error.fields && Object.keys(error.fields).length > 0)
      return { kind: 'invalid', fields: error.fields };
    return { kind: 'failed', message: error.message || saveFailed };
  }
};
