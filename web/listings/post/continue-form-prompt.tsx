import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router';
import type { OwnListing } from '#contract/listings.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { formatAge } from '#web/lib/format.ts';
import { getHistoryEntryState } from '#web/lib/history-entry-state.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import type { TimestampedUnsentListingForm } from './unsent-listing-form.ts';

export interface ContinueFormPromptProps {
  saved: TimestampedUnsentListingForm;
  /** The listing to edit, or undefined for a new one. */
  listing: OwnListing | undefined;
  isRestoring: boolean;
  onContinue: () => Promise<void>;
  onDiscard: () => void;
}

/** Returns a one-line summary of a saved form, as in '“Oak desk” · 2 photos · saved 5 min ago'. */
const describeUnsentForm = ({ values, photos, savedAt }: TimestampedUnsentListingForm): string =>
  [
    values.title.trim() ? `“${isolateDirection(values.title.trim())}”` : 'Without a title',
    photos.length > 0 && `${photos.length} ${photos.length === 1 ? 'photo' : 'photos'}`,
    `saved ${formatAge(new Date(savedAt).toISOString(), new Date())} ago`,
  ]
    .filter(Boolean)
    .join(' · ');

/** Offers to continue a listing form that the person left without sending it. */
export function ContinueFormPrompt({
  saved,
  listing,
  isRestoring,
  onContinue,
  onDiscard,
}: ContinueFormPromptProps) {
  const location = useLocation();
  // Discard the saved scroll position. It belongs to the form, which is longer than this offer, so
  // restoring it would scroll the offer out of view.
  useLayoutEffect(() => {
    delete getHistoryEntryState(location).scroll;
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, [location]);
  const hasChangedSince = listing !== undefined && listing.updated_at !== saved.based_on;
  return (
    <Card padded className="flex flex-col gap-4">
      <div>
        <h2 className="font-extrabold text-xl">
          {listing ? 'Continue your unsaved changes?' : 'Continue your unfinished listing?'}
        </h2>
        <p className="mt-1 break-words">{describeUnsentForm(saved)}</p>
        <p className="mt-1 text-ink-muted text-sm">It is saved on this device only, for up to 30 days.</p>
      </div>
      {hasChangedSince && (
        <Alert tone="notice" title="This listing was changed since then">
          If you continue and save, your unsaved changes replace the newer version.
        </Alert>
      )}
      <div className="flex flex-wrap gap-3 max-sm:flex-col">
        <Button loading={isRestoring} onClick={() => void onContinue()}>
          Continue
        </Button>
        <Button variant="secondary" disabled={isRestoring} onClick={onDiscard}>
          {listing ? 'Discard changes' : 'Start new'}
        </Button>
      </div>
    </Card>
  );
}
