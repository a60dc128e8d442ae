import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import type { CallInput } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import type { CampusListings, CampusMoney } from '#contract/campus.ts';
import {
  type CategoryColumn,
  type CategoryColumns,
  type CategoryFieldName,
  categoryFieldEntries,
  findRentalPriceField,
  hasCategoryField,
} from '#contract/category-fields.ts';
import { createListingSubmissionSchema, type DraftListing } from '#contract/listing-form.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';
import { formatPriceField } from '#contract/price-fields.ts';
import { priceTextToNumber } from '#contract/price-text.ts';
import { defaultGiftDrawHours, defaultHoldHours } from '#contract/selling.ts';
import { isTicketListing, type TicketFacts } from '#contract/tickets.ts';
import { ApiError, request } from '#web/lib/api.ts';

/** The fields of single categories as typed; an empty text means no value. */
type TypedCategoryFields = Record<CategoryFieldName, string>;

const mapCategoryFields = (toValue: (field: (typeof categoryFieldEntries)[number]) => string) =>
  Object.fromEntries(categoryFieldEntries.map((field) => [field[0], toValue(field)])) as TypedCategoryFields;

export interface ListingFormValues extends TypedCategoryFields {
  title: string;
  category: string;
  condition: string;
  gameDate: string;
  price: string;
  description: string;
  location: string;
  contactEmail: string;
  contactPhone: string;
  holdHours: string;
  /** 'true' for a firm price, or empty for a price that is open to offers. */
  isPriceFirm: string;
  rentalPeriod: string;
  giftMode: string;
  drawHours: string;
}

export type ListingFormField = keyof ListingFormValues;

export const blankListingFormValues: ListingFormValues = {
  title: '',
  category: '',
  condition: '',
  gameDate: '',
  ...mapCategoryFields(() => ''),
  price: '',
  description: '',
  location: '',
  contactEmail: '',
  contactPhone: '',
  holdHours: String(defaultHoldHours),
  isPriceFirm: '',
  rentalPeriod: 'flexible',
  giftMode: 'first_come',
  drawHours: String(defaultGiftDrawHours),
};

const keptFields = [
  'category',
  'location',
  'contactEmail',
  'contactPhone',
  'holdHours',
  'isPriceFirm',
  'rentalPeriod',
  'giftMode',
  'drawHours',
] as const satisfies ListingFormField[];

/** Returns the values with which the form of another listing of the same seller begins. */
export const pickKeptValues = (values: ListingFormValues): Partial<ListingFormValues> => ({
  ...Object.fromEntries(keptFields.map((field) => [field, values[field]])),
  ...(values.category === 'free' ? { price: '0.00' } : {}),
});

export const listingFieldOrder = Object.keys(blankListingFormValues) as ListingFormField[];

export const toListingFormValues = (listing: OwnListing, money: CampusMoney): ListingFormValues => ({
  title: listing.title ?? '',
  category: listing.category ?? '',
  condition: listing.condition ?? '',
  gameDate: listing.game_date ?? '',
  ...mapCategoryFields(([, { column, input }]) => {
    const value = listing[column as CategoryColumn] ?? '';
    return input === 'price' && value !== '' ? formatPriceField(money, Number(value), false) : String(value);
  }),
  price: listing.price === null ? '' : formatPriceField(money, listing.price),
  description: listing.description ?? '',
  location: listing.location ?? '',
  contactEmail: listing.contact_email ?? '',
  contactPhone: listing.contact_phone ?? '',
  holdHours: String(listing.hold_hours),
  isPriceFirm: listing.is_price_firm ? 'true' : '',
  rentalPeriod: listing.rental_period,
  giftMode: listing.gift_mode,
  drawHours: String(listing.draw_hours),
});

/** Returns the facts by which tickets are recognized. */
export const toTicketFacts = (
  {
    category,
    title,
    section,
    seatRow,
    seats,
    ticketCount,
    ticketSale,
    faceValue,
  }: Partial<ListingFormValues>,
  money: CampusMoney,
): TicketFacts => ({
  category: category ?? null,
  title: title ?? null,
  section: section?.trim() || null,
  seat_row: seatRow?.trim() || null,
  seats: seats?.trim() || null,
  ticket_sale: (ticketSale || null) as CategoryColumns['ticket_sale'],
  ticket_count: Number(ticketCount) || null,
  face_value: Number(priceTextToNumber(money, faceValue)) || null,
});

/** Returns whether the form offers tickets. */
export const isTicketForm = (values: Partial<ListingFormValues>, money: CampusMoney): boolean =>
  isTicketListing(toTicketFacts(values, money));

/**
 * Adjusts dependent values: free items have price 0; fields of other categories are empty, and so is the price for the period of
 * the listing's own price, for which the form does not ask.
 */
const adjustDependentValues = (values: ListingFormValues): ListingFormValues => ({
  ...values,
  price: values.category === 'free' ? '0.00' : values.price,
  gameDate: values.category === 'game-day' ? values.gameDate : '',
  ...mapCategoryFields(([name, field]) =>
    hasCategoryField(values.category, field) && name !== findRentalPriceField(values.rentalPeriod)
      ? values[name]
      : '',
  ),
});

export type CreateListingBody = CallInput<(typeof calls)['createListing']>['body'];

/** The part of react-hook-form's form object that the field components of the listing form use. */
export type ListingFormMethods = Pick<
  UseFormReturn<ListingFormValues, unknown, CreateListingBody>,
  'register' | 'setValue' | 'setFocus' | 'clearErrors' | 'control' | 'formState'
>;

export interface SubmissionOptions {
  photos: readonly string[];
  status: ListingStatus;
  /** Id of the listing to update. Omitted for a new one. */
  id: string | undefined;
  /** The form's client id, which makes posting idempotent. */
  clientId: string;
}

/** The body of `create-listing` before validation. A field of the contract that the form forgets is a type error. */
type SubmissionBody = Record<keyof DraftListing, unknown> & Record<string, unknown>;

/** Returns the unvalidated body of `create-listing` (specification §7). */
export const toSubmissionBody = (
  values: ListingFormValues,
  { photos, status, id, clientId }: SubmissionOptions,
): SubmissionBody => {
  const { contactEmail, contactPhone, gameDate, holdHours, isPriceFirm, drawHours, ...rest } =
    adjustDependentValues(values);
  return {
    ...(id ? { id } : { clientId }),
    ...rest,
    contactEmail: contactEmail.trim() || null,
    contactPhone: contactPhone.trim() || null,
    gameDate: gameDate || null,
    holdHours: Number(holdHours),
    isPriceFirm: isPriceFirm === 'true',
    drawHours: Number(drawHours),
    photos: [...photos],
    status,
  };
};

const requiredFields = {
  title: 'Title',
  category: 'Category',
  condition: 'Condition',
  price: 'Price',
  description: 'Description',
  location: 'Location',
} as const satisfies Partial<Record<ListingFormField, string>>;

/** A required field that is still empty, with its display name. */
export interface MissingField {
  field: ListingFormField;
  name: string;
}

/**
 * Returns the fields that must still be filled in before the person can press 'Post Ad', in the order of
 * the form (specification §2). One of the two contact methods is enough.
 */
export const listMissingFields = (values: ListingFormValues): MissingField[] => {
  const adjusted = adjustDependentValues(values);
  const missing: MissingField[] = Object.entries(requiredFields)
    .map(([field, name]) => ({ field: field as ListingFormField, name }))
    .filter(({ field }) => !adjusted[field].trim());
  if (!values.contactEmail.trim() && !values.contactPhone.trim())
    missing.push({ field: 'contactEmail', name: 'Email or phone' });
  return missing;
};

const saveFailedSentence = 'Failed to save listing. Please try again.';

export type SubmitListingOutcome =
  | { kind: 'saved'; listing: OwnListing }
  /** `fields` contains the server's error messages by field name. */
  | { kind: 'invalid'; fields: Record<string, string> }
  | { kind: 'failed'; message: string };

/** Validates the request body of the form. `today` is the current date on campus, YYYY-MM-DD. */
export const validateListing = (
  values: ListingFormValues,
  options: SubmissionOptions,
  { today, campus }: { today: string; campus: CampusListings },
): z.ZodSafeParseResult<CreateListingBody> => {
  const body = toSubmissionBody(values, options);
  const checked = createListingSubmissionSchema(today, campus).safeParse(body);
  return checked.success
    ? { success: true, data: body as CreateListingBody }
    : (checked as z.ZodSafeParseError<CreateListingBody>);
};

/** Creates or updates a listing. Returns errors as an outcome instead of throwing them. */
export const submitListing = async (body: CreateListingBody): Promise<SubmitListingOutcome> => {
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
