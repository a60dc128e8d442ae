import type { CampusMoney } from '#contract/campus.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';
import { blankListingFormValues, type ListingFormValues, toListingFormValues } from './submission.ts';

export interface ListingFormState {
  /** The listing as the server has it, or undefined for a new one. */
  stored: OwnListing | undefined;
  /** The form values that count as unchanged: those of the stored listing, or those of a blank form. */
  storedValues: ListingFormValues;
  /**
   * `checking-deals` and `confirming` come before a save that may end deals or unpublish the listing. The `waiting`
   * steps last until all photos are uploaded; then the save begins. After `done`, the page of the listing opens.
   */
  step:
    | 'editing'
    | 'checking-deals'
    | 'confirming'
    | 'waiting-to-save-draft'
    | 'waiting-to-publish'
    | 'saving-draft'
    | 'publishing'
    | 'done';
  /** Whether the last save was refused because of its content. */
  isRefused: boolean;
  /** Why the last save failed, if the reason belongs to no field and not to the photos. */
  failure?: string | undefined;
  /** Why the last save refused its photos, whose URLs are joined in `of`. */
  photoError?: { sentence: string; of: string } | undefined;
}

/** The step before and after each event that changes nothing else. */
const stepChanges = {
  'deal-check-started': ['editing', 'checking-deals'],
  'deal-check-ended': ['checking-deals', 'editing'],
  'confirmation-required': ['editing', 'confirming'],
  'confirmation-closed': ['confirming', 'editing'],
  'edited-when-done': ['done', 'editing'],
} as const satisfies Record<string, [from: ListingFormState['step'], to: ListingFormState['step']]>;

export type ListingFormEvent =
  | { kind: keyof typeof stepChanges }
  | { kind: 'save-started'; status: ListingStatus }
  /** The save waits for photos that are being uploaded. */
  | { kind: 'save-deferred'; status: ListingStatus }
  /** The save that waited is given up, because a photo could not be uploaded. */
  | { kind: 'save-abandoned' }
  /** The listing was unpublished or published, and its content stays as it is. */
  | { kind: 'status-changed'; listing: OwnListing }
  | { kind: 'save-refused'; fields: Record<string, string>; photoUrls: string }
  | { kind: 'save-failed'; message: string }
  /** `values` are those that were sent. `isDone` is false if the form stays open. */
  | { kind: 'saved'; listing: OwnListing; values: ListingFormValues; isDone: boolean };

export const createListingFormState = (
  listing: OwnListing | undefined,
  money: CampusMoney,
  initialValues?: Partial<ListingFormValues>,
): ListingFormState => ({
  stored: listing,
  storedValues: listing
    ? toListingFormValues(listing, money)
    : { ...blankListingFormValues, ...initialValues },
  step: 'editing',
  isRefused: false,
});

export const listingFormReducer = (state: ListingFormState, event: ListingFormEvent): ListingFormState => {
  switch (event.kind) {
    case 'save-started':
      return {
        stored: state.stored,
        storedValues: state.storedValues,
        step: event.status === 'draft' ? 'saving-draft' : 'publishing',
        isRefused: false,
      };
    case 'save-deferred':
      return {
        ...state,
        step: event.status === 'draft' ? 'waiting-to-save-draft' : 'waiting-to-publish',
        isRefused: false,
        failure: undefined,
      };
    case 'save-abandoned':
      return { ...state, step: 'editing' };
    case 'status-changed':
      return { ...state, stored: event.listing };
    case 'save-refused': {
      const { photos, ...fields } = event.fields;
      return {
        ...state,
        step: 'editing',
        isRefused: true,
        failure: Object.entries(fields).findLast(([name]) => !(name in blankListingFormValues))?.[1],
        photoError: photos === undefined ? undefined : { sentence: photos, of: event.photoUrls },
      };
    }
    case 'save-failed':
      return { ...state, step: 'editing', failure: event.message };
    case 'saved':
      return {
        ...state,
        stored: event.listing,
        storedValues: event.values,
        step: event.isDone ? 'done' : 'editing',
      };
    default: {
      const [from, to] = stepChanges[event.kind];
      return state.step === from ? { ...state, step: to } : state;
    }
  }
};
