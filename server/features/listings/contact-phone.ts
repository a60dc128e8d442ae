import type { Campus } from '#contract/campus.ts';
import { createFieldProblem } from '#contract/errors.ts';
import { type ListingSubmission, listingErrorMessages } from '#contract/listing-form.ts';
import { readPhoneNumber } from '#server/phone-numbers.ts';

/** Returns whether a listing's phone number, if it has one, can be called. */
export const isContactPhoneValid = ({ country }: Campus, phone: string | null): boolean =>
  phone === null || readPhoneNumber(country, phone) !== undefined;

/**
 * Returns a submission with its phone number as the country of the campus writes it. Drafts keep what is no number. Throws
 * a Problem if it is to be published.
 */
export const normalizeContactPhone = (
  { country }: Campus,
  submission: ListingSubmission,
): ListingSubmission => {
  if (submission.contactPhone === null) return submission;
  const contactPhone = readPhoneNumber(country, submission.contactPhone);
  if (contactPhone !== undefined) return { ...submission, contactPhone };
  if (submission.status === 'draft') return submission;
  throw createFieldProblem({ contactPhone: listingErrorMessages.phoneFormat });
};
