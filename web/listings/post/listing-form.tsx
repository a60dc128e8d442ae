import { useEffect, useRef, useState } from 'react';
import { type FieldErrors, useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { type Campus, toCampusDay } from '#contract/campus.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';
import { EndDealsDialog, fetchHasOpenDeals } from '#web/deals/public.ts';
import { links } from '#web/lib/links.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { useHasLeft } from '#web/lib/use-has-left.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Card } from '#web/ui/card.tsx';
import { toast } from '#web/ui/toast.ts';
import { showHeldForReviewToast, showPublicationToast } from '../publication-toast.ts';
import { ListingFormActions } from './form-actions.tsx';
import { ListingFields } from './listing-fields.tsx';
import { toPhotoItems } from './photo-items.ts';
import { PhotoUploader } from './photo-uploader.tsx';
import {
  blankListingFormValues,
  type CreateListingBody,
  type ListingFormField,
  type ListingFormValues,
  listingFieldOrder,
  listMissingFields,
  submitListing,
  toListingFormValues,
  validateListing,
} from './submission.ts';
import {
  type RestoredListingForm,
  removeUnsentListingFormAndFiles,
  useUnsentListing,
} from './unsent-listing-form.ts';
import { useClientId } from './use-client-id.ts';
import { usePhotos } from './use-photos.ts';

/** Delay before navigating to the listing after publishing, in milliseconds (specification §9). */
const navigationDelayMs = 2000;

/** The account that uses the form. */
export interface ListingFormOwner {
  id: string;
  email: string;
}

export interface ListingFormProps {
  campus: Campus;
  owner: ListingFormOwner;
  /** The listing to edit. Omitted to post a new one. */
  listing?: OwnListing | undefined;
  /** The unfinished form to continue, or undefined to start with a blank form or the stored listing. */
  restored?: RestoredListingForm | undefined;
  /** Whether the form takes the focus, because it replaces a control that had it. */
  takesFocus?: boolean | undefined;
  /** Called after the first save of a new listing, with its id. */
  onCreated: (id: string) => void;
}

const toFieldMessages = (errors: FieldErrors): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, String(error?.message)]));

const isListingField = (name: string): name is ListingFormField =>
  (listingFieldOrder as string[]).includes(name);

const toInitialValues = (listing: OwnListing | undefined, owner: ListingFormOwner): ListingFormValues =>
  listing ? toListingFormValues(listing) : { ...blankListingFormValues, contactEmail: owner.email };

export function ListingForm({ campus, owner, listing, restored, takesFocus, onCreated }: ListingFormProps) {
  const [stored, setStored] = useState(listing);
  /**
   * The form values that count as unchanged: those of the stored listing, or those of a blank form.
   */
  const [storedValues, setStoredValues] = useState(() => toInitialValues(listing, owner));
  const key = { ownerId: owner.id, listingId: stored?.id };
  const { clientId, currentClientId } = useClientId(key, restored?.clientId);
  const photos = usePhotos(owner.id, restored?.items ?? toPhotoItems(listing));
  const [busy, setBusy] = useState<ListingStatus>();
  const [done, setDone] = useState(false);
  /** Whether the dialog is open that asks before the listing is unpublished or its deals end. */
  const [isEnding, setIsEnding] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [isRefused, setIsRefused] = useState(false);
  const [photoError, setPhotoError] = useState<{ sentence: string; of: string }>();
  /** The status that the listing gets from the save in progress, or undefined if no save is in progress. */
  const target = useRef<ListingStatus>(undefined);
  const navigate = useNavigate();
  const hasLeft = useHasLeft();
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (takesFocus) element.current?.focus();
  }, [takesFocus]);

  const urls = photos.items.flatMap((item) => (item.url && !item.error ? [item.url] : []));
  const hasFailedPhoto = photos.items.some((item) => item.error);
  const isPhotoRefused = photoError?.of === urls.join();
  const today = toCampusDay(campus, new Date());
  const form = useContractForm<ListingFormValues, CreateListingBody>({
    schema: (values) => {
      const status = target.current ?? 'published';
      return validateListing(values, { photos: urls, status, id: stored?.id, clientId }, today);
    },
    defaultValues: restored?.values ?? storedValues,
    editing: 'clears',
  });
  const values = useWatch({ control: form.control }) as ListingFormValues;
  const { hasChanges, isSavedOnDevice } = useUnsentListing({
    key,
    clientId,
    stored,
    storedValues,
    values,
    items: photos.items,
  });

  /**
   * Displays the errors that belong to no field of the form, namely those of photos and of unknown
   * fields, and marks the form as refused.
   */
  const reportInvalid = (fields: Record<string, string>): void => {
    setIsRefused(true);
    for (const [name, message] of Object.entries(fields)) {
      if (name === 'photos') setPhotoError({ sentence: message, of: urls.join() });
      else if (!isListingField(name)) setFailure(message);
    }
  };

  const accept = (saved: OwnListing, status: ListingStatus, sent: ListingFormValues): void => {
    removeUnsentListingFormAndFiles(key, currentClientId.current, photos.items);
    setStored(saved);
    setStoredValues(sent);
    if (!stored && !hasLeft()) onCreated(saved.id);
    if (status === 'draft')
      toast.success(
        'Draft saved',
        hasFailedPhoto ? 'Without the photos that could not be uploaded' : undefined,
      );
    else if (saved.status === 'in_review') showHeldForReviewToast();
    else showPublicationToast(stored, 'Listing updated');
    if (status === 'draft' || hasLeft()) return;
    setDone(true);
    if (saved.status === 'in_review') {
      void navigate(links.myDrafts);
      return;
    }
    setTimeout(() => {
      // If the person edited the form after sending it, stay on the form, because these edits have not been
      // sent yet.
      if (hasChanges.current || hasLeft()) setDone(false);
      else void navigate(links.listing(saved.slug));
    }, navigationDelayMs);
  };

  const send = async (body: CreateListingBody, status: ListingStatus): Promise<void> => {
    const sent = { ...form.getValues() };
    const outcome = await submitListing(body);
    if (outcome.kind === 'saved') accept(outcome.listing, status, sent);
    else if (outcome.kind === 'failed') setFailure(outcome.message);
    else {
      form.showFieldErrors(outcome.fields);
      reportInvalid(outcome.fields);
    }
  };

  const save = async (status: ListingStatus): Promise<void> => {
    if (target.current || done) return;
    if (photos.items.some((item) => item.uploading)) {
      toast.error('Upload in progress', 'Please wait for all photos to finish uploading');
      return;
    }
    if (status === 'published' && hasFailedPhoto) {
      toast.error('Upload failed', 'Please retry or remove the photos that could not be uploaded');
      return;
    }
    target.current = status;
    setBusy(status);
    setFailure(undefined);
    setPhotoError(undefined);
    setIsRefused(false);
    await form.handleSubmit(
      (body) => send(body, status),
      (errors) => reportInvalid(toFieldMessages(errors)),
    )();
    target.current = undefined;
    setBusy(undefined);
  };

  /** Returns whether the listing may have open deals, which end when it becomes a draft. */
  const mayHaveDeals = async (): Promise<boolean> => {
    if (!stored) return false;
    setBusy('draft');
    const hasDeals = await fetchHasOpenDeals(owner.id, stored.id);
    setBusy(undefined);
    // If the deals cannot be loaded, the dialog says so, except for a draft, which has none unless another tab published
    // it.
    return hasDeals ?? stored.status !== 'draft';
  };

  const saveDraft = async (): Promise<void> => {
    if (stored?.status === 'published' || (await mayHaveDeals())) setIsEnding(true);
    else await save('draft');
  };

  return (
    <form
      ref={element}
      tabIndex={-1}
      aria-label={listing ? 'Edit your listing' : 'Your listing'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save('published');
      }}
      // The scroll margin keeps a newly focused field, with its hint and error, above the buttons that are pinned on phones.
      className="flex flex-col gap-4 max-md:[&_:is(input,select,textarea)]:scroll-mb-44"
    >
      <Card padded className="flex flex-col gap-6">
        {restored && restored.lostPhotos.length > 0 && <LostPhotosNotice names={restored.lostPhotos} />}
        <PhotoUploader photos={photos} error={isPhotoRefused ? photoError?.sentence : undefined} />
        <ListingFields form={form} mascot={campus.mascot} today={today} />
        {failure && <Alert tone="error">{failure}</Alert>}
      </Card>
      <ListingFormActions
        submitLabel={listing || stored?.status === 'published' ? 'Update Listing' : 'Post Ad'}
        missing={listMissingFields(values)}
        onMissingField={(field) => form.setFocus(field)}
        isSavedOnDevice={isSavedOnDevice}
        hasErrors={isRefused && (Object.keys(form.formState.errors).length > 0 || isPhotoRefused)}
        busy={busy}
        disabled={done}
        onSaveDraft={() => void saveDraft()}
      />
      {stored && isEnding && (
        <EndDealsDialog
          action="draft"
          listing={stored}
          ownId={owner.id}
          consequence={
            stored.status === 'published' ? 'It disappears from Quad until you publish it again.' : undefined
          }
          onConfirm={() => void save('draft')}
          onClose={() => setIsEnding(false)}
        />
      )}
    </form>
  );
}

function LostPhotosNotice({ names }: { names: readonly string[] }) {
  return (
    <Alert tone="notice" title="Some photos have to be chosen again">
      <span className="break-words">{names.join(', ')}</span>
    </Alert>
  );
}
