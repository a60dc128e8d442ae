import { useEffect, useRef, useState } from 'react';
import { type FieldErrors, useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { type Campus, campusDay } from '#contract/campus.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { newId } from '#web/lib/new-id.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import { ListingFields } from './listing-fields.tsx';
import { PhotoUploader } from './photo-uploader.tsx';
import {
  blankValues,
  fieldOrder,
  isReadyToPost,
  type ListingField,
  type ListingValues,
  type Submission,
  saveListing,
  toFormValues,
  validateListing,
} from './submission.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { usePhotos } from './use-photos.ts';

/** Delay before navigating to the listing after 'Ad posted', in milliseconds (specification §9). */
const navigationDelayMs = 2000;

export interface ListingFormProps {
  campus: Campus;
  /** The listing to edit; omitted to post a new one. */
  listing?: OwnListing | undefined;
  /** Called when a new draft got its id, which later saves update. */
  onDraftSaved: (id: string) => void;
}

const toFieldMessages = (errors: FieldErrors): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, String(error?.message)]));

const isListingField = (name: string): name is ListingField => (fieldOrder as string[]).includes(name);

export function ListingForm({ campus, listing, onDraftSaved }: ListingFormProps) {
  const [stored, setStored] = useState(listing);
  // A response may get lost, so every save of this form carries the same client id.
  const [clientId] = useState(newId);
  const photos = usePhotos(listing);
  const [busy, setBusy] = useState<ListingStatus>();
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [photoError, setPhotoError] = useState<{ sentence: string; of: string }>();
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(leaving.current), []);
  /** The status with which the request in progress saves the listing. */
  const target = useRef<ListingStatus>(undefined);
  const navigate = useNavigate();

  const urls = photos.items.flatMap((item) => (item.url && !item.error ? [item.url] : []));
  const today = campusDay(campus, new Date());
  const form = useContractForm<ListingValues, Submission>({
    schema: (values) => {
      const status = target.current ?? 'published';
      return validateListing(values, { photos: urls, status, id: stored?.id, clientId }, today);
    },
    defaultValues: listing ? toFormValues(listing) : blankValues,
    editing: 'clears',
  });
  const values = useWatch({ control: form.control }) as ListingValues;
  const photosChanged =
    photos.items.some((item) => item.uploading) || urls.join() !== (stored?.photos ?? []).join();
  const unsaved = form.formState.isDirty || photosChanged;
  const leaveGuard = useLeaveGuard(unsaved);

  /** Reports the field errors of a rejected form, which displays those of its own fields. */
  const reportInvalid = (fields: Record<string, string>): void => {
    toast.error('Validation failed', 'Please fix the errors before submitting');
    for (const [name, message] of Object.entries(fields)) {
      if (name === 'photos') setPhotoError({ sentence: message, of: urls.join() });
      else if (!isListingField(name)) setFailure(message);
    }
  };

  const accept = (saved: OwnListing, status: ListingStatus, sent: ListingValues): void => {
    setStored(saved);
    const typed = form.getValues();
    form.reset(sent);
    // Text typed while the request was in flight is not saved yet.
    for (const name of fieldOrder) {
      if (typed[name] !== sent[name]) form.setValue(name, typed[name], { shouldDirty: true });
    }
    if (status === 'draft') {
      toast.success('Draft saved');
      if (!stored) leaveGuard.letGo(() => onDraftSaved(saved.id));
      return;
    }
    setDone(true);
    toast.success(listing ? 'Listing updated' : 'Ad posted');
    leaving.current = setTimeout(() => void navigate(links.listing(saved.slug)), navigationDelayMs);
  };

  const send = async (body: Submission, status: ListingStatus): Promise<void> => {
    const sent = { ...form.getValues() };
    const outcome = await saveListing(body);
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
    target.current = status;
    setBusy(status);
    setFailure(undefined);
    setPhotoError(undefined);
    await form.handleSubmit(
      (body) => send(body, status),
      (errors) => reportInvalid(toFieldMessages(errors)),
    )();
    target.current = undefined;
    setBusy(undefined);
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save('published');
      }}
    >
      <Card padded className="flex flex-col gap-6">
        <PhotoUploader
          photos={photos}
          error={photoError?.of === urls.join() ? photoError.sentence : undefined}
        />
        <ListingFields form={form} mascot={campus.mascot} today={today} />
        {failure && <Alert tone="error">{failure}</Alert>}
        <div className="flex flex-col-reverse gap-3 border-line border-t pt-5 sm:flex-row sm:justify-end">
          <Button
            variant="secondary"
            loading={busy === 'draft'}
            disabled={done || busy === 'published'}
            onClick={() => void save('draft')}
          >
            Save as Draft
          </Button>
          <Button
            type="submit"
            loading={busy === 'published'}
            disabled={done || busy === 'draft' || !isReadyToPost(values)}
          >
            {listing ? 'Update Listing' : 'Post Ad'}
          </Button>
        </div>
      </Card>
      <ConfirmDialog
        open={leaveGuard.asking}
        onOpenChange={(open) => {
          if (open) return;
          leaveGuard.stay();
          setDone(false);
        }}
        title="Leave without saving?"
        description="What you changed here is not saved yet."
        cancelLabel="Stay"
        confirmLabel="Leave"
        danger
        onConfirm={leaveGuard.leave}
      />
    </form>
  );
}
