import { useEffect, useEffectEvent, useId, useReducer, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
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
import { type JustPublishedListing, setJustPublishedListing } from '../just-published.ts';
import { showHeldForReviewToast, showPublicationToast } from '../publication-toast.ts';
import { ListingFormActions, type MainActionsProps, MainFormActions } from './form-actions.tsx';
import { createListingFormState, listingFormReducer } from './form-state.ts';
import { ListedNotice } from './listed-notice.tsx';
import { ListingFields } from './listing-fields.tsx';
import { toPhotoItems } from './photo-items.ts';
import { PhotoUploader } from './photo-uploader.tsx';
import {
  type CreateListingBody,
  isTicketForm,
  type ListingFormValues,
  listMissingFields,
  pickKeptValues,
  submitListing,
  validateListing,
} from './submission.ts';
import {
  type RestoredListingForm,
  removeUnsentListingFormAndFiles,
  useUnsentListing,
} from './unsent-listing-form.ts';
import { useClientId } from './use-client-id.ts';
import { photoToastGroup, usePhotos } from './use-photos.ts';
import { useUnpublishing } from './use-unpublishing.tsx';

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
  /** The values with which the form of a new listing begins. */
  initialValues?: Partial<ListingFormValues> | undefined;
  /** The element at the top of a phone's window that contains the main button. Without it, the button is below the form. */
  headSlot?: HTMLElement | null | undefined;
  /** Called after the first save of a new listing, with its id. */
  onCreated: (id: string) => void;
}

const toFieldMessages = (errors: FieldErrors): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, String(error?.message)]));

const focusElement = (element: HTMLElement | null): void => element?.focus();

export function ListingForm({
  campus,
  owner,
  listing,
  restored,
  takesFocus,
  initialValues,
  headSlot,
  onCreated,
}: ListingFormProps) {
  const formId = useId();
  const [published, setPublished] = useState<JustPublishedListing>();
  const [{ stored, storedValues, step, isRefused, failure, photoError }, dispatch] = useReducer(
    listingFormReducer,
    undefined,
    () => createListingFormState(listing, campus, initialValues),
  );
  const key = { ownerId: owner.id, listingId: stored?.id };
  const { clientId, currentClientId } = useClientId(key, restored?.clientId);
  const [isTicket, setIsTicket] = useState(() => isTicketForm(restored?.values ?? storedValues, campus));
  const photos = usePhotos(owner.id, restored?.items ?? toPhotoItems(listing), isTicket);
  /** The status that the listing gets from the save in progress, or undefined if no save is in progress. */
  const target = useRef<ListingStatus>(undefined);
  const navigate = useNavigate();
  const hasLeft = useHasLeft();

  const urls = photos.items.flatMap((item) => (item.url && !item.error ? [item.url] : []));
  const hasFailedPhoto = photos.items.some((item) => item.error);
  const isPhotoRefused = photoError?.of === urls.join();
  const today = toCampusDay(campus, new Date());
  const form = useContractForm<ListingFormValues, CreateListingBody>({
    schema: (values) => {
      const status = target.current ?? 'published';
      return validateListing(values, { photos: urls, status, id: stored?.id, clientId }, { today, campus });
    },
    defaultValues: restored?.values ?? storedValues,
    editing: 'clears',
  });
  const values = useWatch({ control: form.control }) as ListingFormValues;
  if (isTicketForm(values, campus) !== isTicket) setIsTicket(!isTicket);
  const { hasChanges, isUnchanged, isSavedOnDevice } = useUnsentListing({
    key,
    clientId,
    stored,
    storedValues,
    values,
    items: photos.items,
  });

  /** Opens the page of the published listing. Back then leads to the screen before the form. */
  const openListing = (slug: string): void => void navigate(links.listing(slug), { replace: true });

  const accept = (saved: OwnListing, status: ListingStatus, sent: ListingFormValues): void => {
    removeUnsentListingFormAndFiles(key, currentClientId.current, photos.items);
    const isDone = status === 'published' && !hasLeft();
    dispatch({ kind: 'saved', listing: saved, values: sent, isDone });
    if (!stored && !hasLeft()) onCreated(saved.id);
    if (status === 'draft')
      toast.success(
        'Draft saved',
        hasFailedPhoto ? 'Without the photos that could not be uploaded' : undefined,
      );
    else if (saved.status === 'in_review') showHeldForReviewToast();
    else showPublicationToast(stored, 'Listing updated');
    if (!isDone) return;
    if (saved.status === 'in_review') {
      void navigate(links.myDrafts, { replace: true });
      return;
    }
    const listed: JustPublishedListing = {
      id: saved.id,
      slug: saved.slug,
      title: saved.title ?? '',
      next: { ownerId: owner.id, keptValues: pickKeptValues(sent) },
    };
    const isFirstPublication = !stored?.published_at;
    if (isFirstPublication) setPublished(listed);
    setTimeout(() => {
      if (hasLeft()) return;
      // If the person edited the form after sending it, stay on the form, because these edits have not been
      // sent yet.
      if (hasChanges.current) {
        setPublished(undefined);
        dispatch({ kind: 'edited-when-done' });
        return;
      }
      if (isFirstPublication) setJustPublishedListing(listed);
      openListing(saved.slug);
    }, navigationDelayMs);
  };

  const refuse = (fields: Record<string, string>): void =>
    dispatch({ kind: 'save-refused', fields, photoUrls: urls.join() });

  const send = async (body: CreateListingBody, status: ListingStatus): Promise<void> => {
    const sent = { ...form.getValues() };
    const outcome = await submitListing(body);
    if (outcome.kind === 'saved') accept(outcome.listing, status, sent);
    else if (outcome.kind === 'failed') dispatch({ kind: 'save-failed', message: outcome.message });
    else {
      form.showFieldErrors(outcome.fields);
      refuse(outcome.fields);
    }
  };

  const isUploading = photos.items.some((item) => item.uploading);
  const isWaiting = step === 'waiting-to-publish' || step === 'waiting-to-save-draft';
  const save = async (status: ListingStatus): Promise<void> => {
    if (target.current || step === 'done' || (isWaiting && isUploading)) return;
    if (status === 'published' && hasFailedPhoto && !isUploading) {
      dispatch({ kind: 'save-abandoned' });
      toast.error(
        'Upload failed',
        'Please retry or remove the photos that could not be uploaded',
        undefined,
        photoToastGroup,
      );
      return;
    }
    target.current = status;
    // While photos are being uploaded, the other fields are checked at once.
    if (!isUploading) dispatch({ kind: 'save-started', status });
    await form.handleSubmit(
      (body) => (isUploading ? dispatch({ kind: 'save-deferred', status }) : send(body, status)),
      (errors) => refuse(toFieldMessages(errors)),
    )();
    target.current = undefined;
  };

  const resumeSave = useEffectEvent(() => save(step === 'waiting-to-publish' ? 'published' : 'draft'));
  useEffect(() => {
    if (isWaiting && !isUploading) void resumeSave();
  }, [isWaiting, isUploading]);

  const unpublishing = useUnpublishing(owner.id, stored, (changed) =>
    dispatch({ kind: 'status-changed', listing: changed }),
  );

  /** Returns whether the person must confirm that the deals of the listing end. */
  const mustConfirmDraft = async (): Promise<boolean> => {
    if (!stored) return false;
    dispatch({ kind: 'deal-check-started' });
    const hasDeals = await fetchHasOpenDeals(owner.id, stored.id);
    dispatch({ kind: 'deal-check-ended' });
    // If the deals cannot be loaded, the dialog says so, except for a draft, which has none unless another tab published
    // it.
    return hasDeals ?? stored.status !== 'draft';
  };

  const saveDraft = async (): Promise<void> => {
    if (await mustConfirmDraft()) dispatch({ kind: 'confirmation-required' });
    else await save('draft');
  };

  const mainActions: MainActionsProps = {
    form: formId,
    submitLabel: listing || stored?.status === 'published' ? 'Update Listing' : 'Post Ad',
    step,
    onUnpublish: stored?.status === 'published' ? unpublishing.unpublish : undefined,
  };

  if (published && step === 'done' && isUnchanged)
    return <ListedNotice published={published} onView={() => openListing(published.slug)} />;
  return (
    <form
      id={formId}
      ref={takesFocus ? focusElement : undefined}
      tabIndex={-1}
      aria-label={listing ? 'Edit your listing' : 'Your listing'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save('published');
      }}
      className="flex flex-col gap-4"
    >
      {headSlot && createPortal(<MainFormActions {...mainActions} />, headSlot)}
      <Card
        padded
        className="flex flex-col gap-6 max-md:overflow-visible max-md:border-0 max-md:bg-transparent max-md:p-0! max-md:shadow-none"
      >
        {restored && restored.lostPhotos.length > 0 && <LostPhotosNotice names={restored.lostPhotos} />}
        <PhotoUploader photos={photos} error={isPhotoRefused ? photoError?.sentence : undefined} />
        <ListingFields form={form} campus={campus} today={today} ownEmail={owner.email} />
        {failure && <Alert tone="error">{failure}</Alert>}
      </Card>
      <ListingFormActions
        mainActions={mainActions}
        hasHead={Boolean(headSlot)}
        missing={listMissingFields(values)}
        onMissingField={(field) => form.setFocus(field)}
        isSavedOnDevice={isSavedOnDevice}
        hasErrors={isRefused && (Object.keys(form.formState.errors).length > 0 || isPhotoRefused)}
        isWaiting={isWaiting}
        // A published listing becomes a draft by Unpublish only.
        onSaveDraft={stored?.status === 'published' ? undefined : () => void saveDraft()}
      />
      {stored && step === 'confirming' && (
        <EndDealsDialog
          action="draft"
          listing={stored}
          ownId={owner.id}
          onConfirm={() => void save('draft')}
          onClose={() => dispatch({ kind: 'confirmation-closed' })}
        />
      )}
      {unpublishing.dialog}
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
