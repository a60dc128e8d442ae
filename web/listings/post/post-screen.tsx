import { useEffect, useRef, useState } from 'react';
import type { OwnListing } from '#contract/listings.ts';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { toast } from '#web/ui/toast.ts';
import { ContinueFormPrompt } from './continue-form-prompt.tsx';
import { ListingFormSkeleton } from './form-skeleton.tsx';
import { ListingForm, type ListingFormProps } from './listing-form.tsx';
import {
  findUnsentListingForm,
  isInterruptedForm,
  type RestoredListingForm,
  removeUnsentListingForm,
  restoreListingForm,
  setInterruptedForm,
  storeUnsentListingForm,
  type TimestampedUnsentListingForm,
} from './unsent-listing-form.ts';

/** How long discarding an unfinished form can be undone, in milliseconds. */
const undoDurationMs = 10_000;

export type PostListingScreenProps = Omit<ListingFormProps, 'restored' | 'takesFocus'>;

type ScreenState =
  | { kind: 'offered' | 'restoring' | 'interrupted'; saved: TimestampedUnsentListingForm }
  | { kind: 'form'; restored?: RestoredListingForm; takesFocus?: boolean };

const findInitialState = (ownerId: string, listing: OwnListing | undefined): ScreenState => {
  const key = { ownerId, listingId: listing?.id };
  const saved = findUnsentListingForm(key);
  if (!saved) return { kind: 'form' };
  return { kind: isInterruptedForm(key) ? 'interrupted' : 'offered', saved };
};

/**
 * The screen with the listing form. If the person left the form unfinished earlier, the screen
 * first offers to continue it.
 */
export function PostListingScreen({ owner, listing, onCreated, ...rest }: PostListingScreenProps) {
  const [state, setState] = useState(() => findInitialState(owner.id, listing));

  const isCreated = useRef(false);
  // If the session ended while the form was open, restore the form without asking, because the
  // person expects to find it as it was.
  const interrupted = state.kind === 'interrupted' ? state.saved : undefined;
  useEffect(() => {
    if (!interrupted) return;
    setInterruptedForm(undefined);
    void restoreListingForm(owner.id, interrupted, listing).then((restored) =>
      setState({ kind: 'form', restored }),
    );
  }, [interrupted, owner.id, listing]);

  if (state.kind === 'form') {
    return (
      <ListingForm
        owner={owner}
        listing={listing}
        onCreated={(id) => {
          isCreated.current = true;
          onCreated(id);
        }}
        {...state}
        {...rest}
      />
    );
  }
  if (state.kind === 'interrupted') return <ListingFormSkeleton />;
  const { kind, saved } = state;
  const key = { ownerId: owner.id, listingId: listing?.id };
  const discard = (): void => {
    removeUnsentListingForm(key, saved.client_id);
    setState({ kind: 'form', takesFocus: true });
    toast.message(listing ? 'Changes discarded' : 'Unfinished listing discarded', undefined, {
      label: 'Undo',
      durationMs: undoDurationMs,
      onSelect: () => {
        // The session may have ended while the toast was visible. Logging out erases saved forms,
        // so do not save this one again.
        if (getSessionSnapshot().user?.id !== owner.id) return;
        // Do not overwrite a listing or a form that was saved after the discard.
        if (isCreated.current || findUnsentListingForm(key)) {
          toast.error('Not restored', 'You have typed something new since you discarded it.');
          return;
        }
        storeUnsentListingForm(key, saved);
        setState({ kind: 'offered', saved });
      },
    });
  };
  return (
    <ContinueFormPrompt
      saved={saved}
      listing={listing}
      isRestoring={kind === 'restoring'}
      onContinue={async () => {
        setState({ kind: 'restoring', saved });
        const restored = await restoreListingForm(owner.id, saved, listing);
        setState({ kind: 'form', restored, takesFocus: true });
      }}
      onDiscard={discard}
    />
  );
}
