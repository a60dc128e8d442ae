import type { z } from 'zod';
import { type CallInput, calls } from '#contract/calls.ts';
import { type ListingStatus, listingSubmissionSchema, type OwnListing } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';

/** The form's values, as typed. */
export interface ListingValues {
  title: string;
  category: string;
  condition: string;
  gameDate: string;
  price: string;
  description: string;
  location: string;
  contactEmail: string;
  contactPhone: string;
}

export type ListingField = keyof ListingValues;

export const blankValues: ListingValues = {
  title: '',
  category: '',
  condition: '',
  gameDate: '',
  price: '',
  description: '',
  location: '',
  contactEmail: '',
  contactPhone: '',
};

export const fieldOrder = Object.keys(blankValues) as ListingField[];

/** Returns the form values of a stored listing. */
export const toFormValues = (listing: OwnListing): ListingValues => ({
  title: listing.title ?? '',
  category: listing.category ?? '',
  condition: listing.condition ?? '',
  gameDate: listing.game_date ?? '',
  price: listing.price === null ? '' : listing.price.toFixed(2),
  description: listing.description ?? '',
  location: listing.location ?? '',
  contactEmail: listing.contact_email ?? '',
  contactPhone: listing.contact_phone ?? '',
});

/** Adjusts dependent values: free items have price 0; only game day items have a date. */
const adjustDependentValues = (values: ListingValues): ListingValues => ({
  ...values,
  price: values.category === 'free' ? '0.00' : values.price,
  gameDate: values.category === 'game-day' ? values.gameDate : '',
});

export type Submission = CallInput<(typeof calls)['createListing']>['body'];

export interface SubmissionOptions {
  photos: readonly string[];
  status: ListingStatus;
  /** Id of the listing to update; omitted for a new one. */
  id: string | undefined;
  /** The form's client id, which makes posting idempotent. */
  clientId: string;
}

/** Returns the unvalidated body of `create-listing` (specification §7). */
export const toSubmissionBody = (
  values: ListingValues,
  { photos, status, id, clientId }: SubmissionOptions,
): Record<string, unknown> => {
  const { contactEmail, contactPhone, gameDate, ...rest } = adjustDependentValues(values);
  return {
    ...(id ? { id } : { clientId }),
    ...rest,
    contactEmail: contactEmail.trim() || null,
    contactPhone: contactPhone.trim() || null,
    gameDate: gameDate || null,
    photos: [...photos],
    status,
  };
};

/** Returns whether everything that 'Post Ad' requires is filled (specification §2): the fields and one contact method. */
export const isReadyToPost = (values: ListingValues): boolean => {
  const { title, category, condition, price, description, location } = adjustDependentValues(values);
  const filled = [title, category, condition, price, description, location].every((value) => value.trim());
  return filled && Boolean(values.contactEmail.trim() || values.contactPhone.trim());
};

const saveFailedSentence = 'Failed to save listing. Please try again.';

export type SaveOutcome =
  | { kind: 'saved'; listing: OwnListing }
  /** The server's messages by field. */
  | { kind: 'invalid'; fields: Record<string, string> }
  | { kind: 'failed'; message: string };

/** Validates the request body of the form. `today` is the current date on campus, YYYY-MM-DD. */
export const validateListing = (
  values: ListingValues,
  options: SubmissionOptions,
  today: string,
): z.ZodSafeParseResult<Submission> => {
  const body = toSubmissionBody(values, options);
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
    if (!(error instanceof ApiError)) return { kind: 'failed', message: saveFailedSentence };
    if (error.fields && Object.keys(error.fields).length > 0)
      return { kind: 'invalid', fields: error.fields };
    return { kind: 'failed', message: error.message || saveFailedSentence };
  }
};
