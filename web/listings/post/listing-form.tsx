import { useEffect, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { type Campus, campusDay } from '#contract/campus.ts';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { newId } from '#web/lib/new-id.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import {
  blankValues,
  fieldOrder,
  isFilled,
  type ListingField,
  type ListingValues,
  valuesOf,
} from './form-values.ts';
import { ListingFields } from './listing-fields.tsx';
import { PhotoUploader } from './photo-uploader.tsx';
import { saveListing } from './save-listing.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { usePhotos } from './use-photos.ts';

/** Delay before navigating to the listing after 'Ad posted', in milliseconds (specification §9). */
const showMs = 2000;

export interface ListingFormProps {
  campus: Campus;
  /** The listing to edit; omitted to post a new one. */
  listing?: OwnListing | undefined;
  /** Called when a new draft got its id, which later saves update. */
  onDraftSaved: (id: string) => void;
}

const isField = (name: string): name is ListingField => (fieldOrder as string[]).includes(name);

export function ListingForm({ campus, listing, onDraftSaved }: ListingFormProps) {
  const [stored, setStored] = useState(listing);
  // A response may get lost, so every save of this form carries the same client id.
  const [clientId] = useState(newId);
  const form = useForm<ListingValues>({ defaultValues: listing ? valuesOf(listing) : blankValues });
  const photos = usePhotos(listing);
  const [busy, setBusy] = useState<ListingStatus>();
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [photoError, setPhotoError] = useState<{ sentence: string; of: string }>();
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(leaving.current), []);
  const working = useRef(false);
  const navigate = useNavigate();
  const values = useWatch({ control: form.control }) as ListingValues;
  const today = campusDay(campus, new Date());

  const urls = photos.items.flatMap((item) => (item.url && !item.error ? [item.url] : []));
  const photosChanged =
    photos.items.some((item) => item.uploading) || urls.join() !== (stored?.photos ?? []).join();
  const unsaved = form.formState.isDirty || photosChanged;
  const leaveGuard = useLeaveGuard(unsaved);

  const refuse = (fields: Record<string, string>): void => {
    toast.error('Validation failed', 'Please fix the errors before submitting');
    for (const [name, message] of Object.entries(fields)) {
      if (isField(name)) form.setError(name, { message });
      else if (name === 'photos') setPhotoError({ sentence: message, of: urls.join() });
      else setFailure(message);
    }
    const first = fieldOrder.find((name) => name in fields);
    if (first) form.setFocus(first);
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
    leaving.current = setTimeout(() => void navigate(links.listing(saved.slug)), showMs);
  };

  const save = async (status: ListingStatus): Promise<void> => {
    if (working.current || done) return;
    if (photos.items.some((item) => item.uploading)) {
      toast.error('Upload in progress', 'Please wait for all photos to finish uploading');
      return;
    }
    working.current = true;
    setBusy(status);
    setFailure(undefined);
    setPhotoError(undefined);
    form.clearErrors();
    const sent = { ...form.getValues() };
    const outcome = await saveListing(sent, { photos: urls, status, id: stored?.id, clientId, today });
    working.current = false;
    setBusy(undefined);
    if (outcome.kind === 'saved') accept(outcome.listing, status, sent);
    else if (outcome.kind === 'invalid') refuse(outcome.fields);
    else setFailure(outcome.message);
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
            disabled={done || busy === 'draft' || !isFilled(values)}
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
