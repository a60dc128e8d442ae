import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conversation } from '#contract/conversations.ts';
import type { Deal } from '#contract/deals.ts';
import {
  maxRentalPhotosPerStep,
  type RentalPhoto,
  type RentalPhotoStep,
  rentalPhotoLabels,
  rentalPhotoSteps,
} from '#contract/rental-photos.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { rentalPhotosQuery } from '#web/deals/public.ts';
import { groupBy } from '#web/lib/group-by.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { AttachButton } from './attach-button.tsx';
import { MessagePhotoViewer } from './message-photo-viewer.tsx';
import { FailedRentalPhotos, OutgoingRentalPhotos, SentRentalPhotos } from './rental-photo-groups.tsx';
import { removeRentalPhotos, sendRentalPhotos, useUnsentRentalPhotos } from './rental-photos.ts';
import { usePreparedPhotos } from './use-attach-photos.ts';

export interface RentalPhotosDialogProps {
  deal: Deal;
  conversation: Conversation;
  ownId: string;
  otherName: string;
  /** The steps at which photos can be added now. */
  openSteps: readonly RentalPhotoStep[];
  /** The steps whose photos can be removed now. */
  removableSteps: readonly RentalPhotoStep[];
  onClose: () => void;
}

/** The photos that both parties of a rental took of the item: those at pick-up beside those at return. */
export function RentalPhotosDialog(props: RentalPhotosDialogProps) {
  const { deal, conversation, ownId, otherName, onClose } = props;
  const isOnline = useOnline();
  const { data, isError, refetch } = useQuery(rentalPhotosQuery(ownId, deal.id), queryClient);
  const [viewedIndex, setViewedIndex] = useState<number>();
  const [removed, setRemoved] = useState<string>();
  // The order of the dialog is that of the viewer.
  const photos = rentalPhotoSteps.flatMap((step) => data?.items.filter((photo) => photo.step === step) ?? []);
  const toAlt = (index: number): string => {
    const photo = photos[index];
    if (!photo) return '';
    const ofStep = photos.filter(({ step }) => step === photo.step);
    return `${rentalPhotoLabels[photo.step]}, photo ${ofStep.indexOf(photo) + 1} of ${ofStep.length}`;
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="Condition photos"
      description={`Only you and ${isolateDirection(otherName)} see them.`}
    >
      {data ? (
        <div className="grid grid-cols-2 gap-4">
          {rentalPhotoSteps.map((step) => (
            <StepPhotos
              key={step}
              {...props}
              step={step}
              photos={photos.filter((photo) => photo.step === step)}
              toAlt={(photo) => toAlt(photos.indexOf(photo))}
              onView={(photo) => setViewedIndex(photos.indexOf(photo))}
              onRemove={setRemoved}
            />
          ))}
        </div>
      ) : (
        <LoadingOrFailed
          what="photos"
          isError={isError}
          onRetry={() => void refetch()}
          className="h-44 w-full"
        />
      )}
      {viewedIndex !== undefined && (
        <MessagePhotoViewer
          photos={photos}
          conversationId={conversation.id}
          toAlt={toAlt}
          initialIndex={viewedIndex}
          onClose={() => setViewedIndex(undefined)}
        />
      )}
      {removed !== undefined && (
        <ConfirmDialog
          open
          danger
          onOpenChange={() => setRemoved(undefined)}
          title="Remove these photos?"
          description={`${isolateDirection(otherName)} can’t see them any more.`}
          confirmLabel={isOnline ? 'Remove' : 'You’re offline'}
          confirmDisabled={!isOnline}
          onConfirm={() => removeRentalPhotos(ownId, deal.id, removed)}
        />
      )}
    </Dialog>
  );
}

interface StepPhotosProps extends Omit<RentalPhotosDialogProps, 'onClose'> {
  step: RentalPhotoStep;
  photos: readonly RentalPhoto[];
  toAlt: (photo: RentalPhoto) => string;
  onView: (photo: RentalPhoto) => void;
  onRemove: (messageId: string) => void;
}

function StepPhotos({
  deal,
  conversation,
  ownId,
  otherName,
  openSteps,
  removableSteps,
  step,
  photos,
  toAlt,
  onView,
  onRemove,
}: StepPhotosProps) {
  const rental = { deal_id: deal.id, step };
  const { outgoing, failed, isWaiting } = useUnsentRentalPhotos(conversation.id, rental);
  const party = deal.buyer_id === ownId ? 'buyer' : 'seller';
  const ownCount =
    photos.filter(({ by }) => by === party).length +
    [...outgoing, ...failed].reduce((sum, message) => sum + (message.photos?.length ?? 0), 0);
  const { add, preparing } = usePreparedPhotos({
    countPresent: () => ownCount,
    onPhotos: (prepared) => sendRentalPhotos(conversation, rental, prepared),
  });
  const isOpen = openSteps.includes(step);
  const isEmpty = photos.length + outgoing.length + failed.length + preparing === 0;
  const label = rentalPhotoLabels[step];
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-3">
      <h3 className="font-bold">{label}</h3>
      {isEmpty && <p className="text-ink-muted text-sm">No photos yet</p>}
      {[...groupBy(photos, (photo) => photo.message_id)].map(([messageId, group]) => (
        <SentRentalPhotos
          key={messageId}
          conversationId={conversation.id}
          photos={group}
          ownParty={party}
          otherName={otherName}
          toAlt={toAlt}
          onView={onView}
          onRemove={
            removableSteps.includes(step) && group[0]?.by === party ? () => onRemove(messageId) : undefined
          }
        />
      ))}
      {outgoing.map((message) => (
        <OutgoingRentalPhotos key={message.client_id} message={message} isWaiting={isWaiting} ownId={ownId} />
      ))}
      {failed.map((message) => (
        <FailedRentalPhotos key={message.client_id} message={message} conversation={conversation} />
      ))}
      {preparing > 0 && <Spinner label="Preparing photos" />}
      {isOpen && (
        <div className="mt-auto">
          <AttachButton
            isLabeled
            label={`Add photos: ${label}`}
            disabled={ownCount + preparing >= maxRentalPhotosPerStep}
            onPick={add}
          />
        </div>
      )}
    </section>
  );
}
