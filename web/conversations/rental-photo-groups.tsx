import { Trash2 } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { formatCampusTime } from '#contract/deal-event-lines.ts';
import type { DealParty } from '#contract/deal-states.ts';
import type { RentalPhoto } from '#contract/rental-photos.ts';
import { refreshDeals } from '#web/deals/public.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import type { UnsentMessage } from './drafts.ts';
import { OutgoingPhotoFrame, StoredPhoto } from './message-photos.tsx';
import type { OutgoingMessage } from './outgoing-message.ts';
import { usePhotoUploadPercent } from './photo-uploads.ts';
import { resendRentalPhotos } from './rental-photos.ts';

function Frames({ children }: { children: ReactNode }) {
  return <ul className="grid grid-cols-1 gap-1 sm:grid-cols-2">{children}</ul>;
}

function Frame({ children }: { children: ReactNode }) {
  return <li className="aspect-4/3 overflow-hidden rounded-md">{children}</li>;
}

export interface SentRentalPhotosProps {
  conversationId: string;
  /** The photos of one message. */
  photos: readonly RentalPhoto[];
  ownParty: DealParty;
  otherName: string;
  toAlt: (photo: RentalPhoto) => string;
  onView: (photo: RentalPhoto) => void;
  /** Removes the photos, or undefined when that is not possible. */
  onRemove: (() => void) | undefined;
}

/** Photos that one of the two people added together, with their time. */
export function SentRentalPhotos({
  conversationId,
  photos,
  ownParty,
  otherName,
  toAlt,
  onView,
  onRemove,
}: SentRentalPhotosProps) {
  const campus = useCampus();
  const [first] = photos;
  if (!first) return null;
  return (
    <div>
      <div className="mb-1 text-sm">
        {/* The button must not make the lines of one column longer than those beside it, so that the photos are level. */}
        <div className="flex items-center justify-between gap-1">
          <bdi className="min-w-0 break-words font-semibold">{first.by === ownParty ? 'You' : otherName}</bdi>
          {onRemove && (
            <IconButton label="Remove photos" className="-my-3 -mr-2 shrink-0" onClick={onRemove}>
              <Trash2 aria-hidden="true" />
            </IconButton>
          )}
        </div>
        {/* On a phone, a time takes one or two lines, depending on its digits. */}
        <p className="text-ink-muted" style={{ minHeight: '2lh' }}>
          {formatCampusTime(first.created_at, campus)}
        </p>
      </div>
      <Frames>
        {photos.map((photo) => (
          <Frame key={photo.id}>
            <button
              type="button"
              className="block size-full cursor-zoom-in -outline-offset-3"
              onClick={() => onView(photo)}
            >
              <StoredPhoto photo={photo} conversationId={conversationId} alt={toAlt(photo)} />
            </button>
          </Frame>
        ))}
      </Frames>
    </div>
  );
}

function UnsentPhotos({ photos = [] }: UnsentMessage) {
  return (
    <Frames>
      {photos.map(({ id }, index) => (
        <Frame key={id}>
          <OutgoingPhotoFrame id={id} alt={`Unsent photo ${index + 1} of ${photos.length}`} />
        </Frame>
      ))}
    </Frames>
  );
}

/** Photos that are being uploaded, or wait for the connection. */
export function OutgoingRentalPhotos({
  message,
  isWaiting,
  ownId,
}: {
  message: UnsentMessage;
  isWaiting: boolean;
  ownId: string;
}) {
  // They leave when they are sent: then the list and the deal have changed.
  useEffect(() => () => void refreshDeals(ownId), [ownId]);
  const percent = usePhotoUploadPercent(message.client_id);
  return (
    <div>
      <p role="status" className="mb-1 text-ink-muted text-sm">
        {isWaiting ? 'Waiting for a connection' : 'Sending…'}
      </p>
      <UnsentPhotos {...message} />
      {percent !== undefined && !isWaiting && (
        <ProgressBar label="Uploading photos" value={percent} tone="text" />
      )}
    </div>
  );
}

/** Photos that could not be sent. They are also in the message input. */
export function FailedRentalPhotos({
  message,
  conversation,
}: {
  message: UnsentMessage;
  conversation: OutgoingMessage['conversation'];
}) {
  return (
    <div>
      <p className="mb-1 text-danger text-sm">Not sent</p>
      <UnsentPhotos {...message} />
      <OnlineOnlyButton
        size="sm"
        variant="secondary"
        className="mt-2"
        onClick={() => resendRentalPhotos(conversation, message)}
      >
        Try again
      </OnlineOnlyButton>
    </div>
  );
}
