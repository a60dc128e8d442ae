import { clsx } from 'clsx';
import { Clock, X } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import type { CampusLocale } from '#contract/campus.ts';
import type { Message } from '#contract/conversations.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { isLargeEmoji } from './message-details.ts';
import { MessageMenu } from './message-menu.tsx';
import { MessagePhotos, OutgoingPhotos } from './message-photos.tsx';
import { MessageQuote } from './message-quote.tsx';
import { MessageText } from './message-text.tsx';
import { discardMessage } from './outbox.ts';
import { usePhotoUploadPercent } from './photo-uploads.ts';
import type { MessageBubbleItem, PhotoMessage } from './thread.ts';
import { formatMessageTime } from './times.ts';
import { isUnsendable, unsendMessage } from './unsending.ts';
import { useSwipeToReply } from './use-swipe-to-reply.ts';

interface MessageBubbleProps extends Omit<MessageBubbleItem, 'key' | 'kind' | 'pending' | 'isReplyToOwn'> {
  conversationId: string;
  /** The author's name, for screen readers. */
  name: string;
  /** `waiting` means that the message will be sent when the server is reachable again. */
  state: 'stored' | 'sending' | 'waiting';
  /** Whether this message follows another message from the same sender. */
  joined: boolean;
  /** The name of the author of the message that this one replies to. */
  replyName: string;
  isHighlighted: boolean;
  onReply: ((message: Message) => void) | undefined;
  /** Called with the seq of the message that this one replies to. */
  onShowOriginal: (seq: number) => void;
  /** Called to cancel a pending message with photos. */
  onCancel: (message: PhotoMessage) => void;
}

const getBubbleClassName = ({ own, state, message }: MessageBubbleProps): string => {
  if (message?.unsent_number) return 'border border-line text-ink-muted';
  if (!own) return 'rounded-bl-sm bg-sunken text-ink forced-colors:border';
  return state === 'waiting'
    ? 'rounded-br-sm border border-brand-text border-dashed bg-brand-soft text-ink'
    : 'rounded-br-sm bg-brand text-on-brand';
};

const pendingLabels = { sending: 'Sending…', waiting: 'Waiting for connection' };

/** One message. Its text direction follows its content. */
export const MessageBubble = memo((bubble: MessageBubbleProps) => {
  const campus = useCampus();
  const { name, own, text, at, state, joined, conversationId, photos, outgoing, onCancel } = bubble;
  const { message, clientId, reply, replyName, isHighlighted, onReply, onShowOriginal } = bubble;
  const row = useRef<HTMLLIElement>(null);
  const [isUnsending, setIsUnsending] = useState(false);
  const replyToIt = message && !message.unsent_number && onReply ? () => onReply(message) : undefined;
  const unsend = async (): Promise<void> => {
    if (clientId) discardMessage(clientId);
    if (!message) return;
    setIsUnsending(true);
    await unsendMessage(message);
    setIsUnsending(false);
    // The menu may disappear, which had the focus.
    if (row.current?.contains(document.activeElement)) row.current.focus({ preventScroll: true });
  };
  const mayUnsend = own && (message ? isUnsendable(message) : state === 'waiting' && !outgoing);
  const isPhotoMessage = photos !== undefined || outgoing !== undefined;
  const toAlt = (index: number): string => getPhotoAlt(bubble, index, campus);
  return (
    <li
      ref={row}
      data-seq={message?.seq}
      tabIndex={-1}
      className={clsx(
        'flex items-center rounded-lg transition-colors duration-150',
        joined ? 'mt-1' : 'mt-3',
        own && 'flex-row-reverse',
        isHighlighted && 'bg-gold-soft',
      )}
      {...useSwipeToReply(replyToIt)}
    >
      <div
        className={clsx(
          'max-w-[85%] rounded-lg py-2 md:max-w-[75%]',
          isPhotoMessage ? 'px-2' : 'px-3.5',
          getBubbleClassName(bubble),
        )}
      >
        <span className="sr-only">
          <bdi>{name}</bdi>:{' '}
        </span>
        {reply && (
          <button
            type="button"
            className={clsx('mb-1 block max-w-full rounded-sm py-1', isPhotoMessage && 'w-60 px-1.5')}
            onClick={() => onShowOriginal(reply.seq)}
          >
            <span className="sr-only">In reply to </span>
            <MessageQuote conversationId={conversationId} quoted={reply} name={replyName} />
          </button>
        )}
        {photos && <MessagePhotos photos={photos} conversationId={conversationId} toAlt={toAlt} />}
        {outgoing && <OutgoingPhotos photos={outgoing.photos} toAlt={toAlt} />}
        {text && (
          <p
            dir="auto"
            className={clsx(
              'whitespace-pre-wrap [overflow-wrap:anywhere]',
              isLargeEmoji(text) && 'text-4xl',
              isPhotoMessage && 'mt-1.5 w-60 max-w-full px-1.5',
            )}
          >
            <MessageText text={text} sentAt={at} />
          </p>
        )}
        {outgoing && (
          <PhotoUpload
            clientId={outgoing.client_id}
            isWaiting={state === 'waiting'}
            onCancel={() => onCancel(outgoing)}
          />
        )}
        <p className="figures mt-0.5 flex items-center justify-end gap-1 text-xs opacity-85">
          {state === 'waiting' && <Clock aria-hidden="true" className="size-3.5" />}
          {isUnsending ? (
            <span>Unsending…</span>
          ) : state === 'stored' ? (
            <time dateTime={at}>{formatMessageTime(at, campus)}</time>
          ) : (
            <span>{pendingLabels[state]}</span>
          )}
        </p>
      </div>
      {(replyToIt || mayUnsend) && (
        <MessageMenu
          message={message}
          onReply={replyToIt}
          onUnsend={mayUnsend ? () => void unsend() : undefined}
        />
      )}
    </li>
  );
});

/** Returns the alternative text of a photo, such as "Photo from Maya, 3:14 PM: The scratch". */
const getPhotoAlt = (
  { name, own, text, at, photos, outgoing }: MessageBubbleProps,
  index: number,
  campus: CampusLocale,
): string => {
  const { length: count } = photos ?? outgoing?.photos ?? [];
  const which = count > 1 ? `Photo ${index + 1} of ${count}` : 'Photo';
  return `${which} from ${own ? 'you' : name}, ${formatMessageTime(at, campus)}${text && `: ${text}`}`;
};

interface PhotoUploadProps {
  clientId: string;
  isWaiting: boolean;
  onCancel: () => void;
}

/** The progress of the photos of a pending message, and a button that moves it back into the message input. */
function PhotoUpload({ clientId, isWaiting, onCancel }: PhotoUploadProps) {
  const percent = usePhotoUploadPercent(clientId);
  if (percent === undefined && !isWaiting) return null;
  return (
    <div className="mt-1.5 flex w-60 max-w-full items-center justify-end gap-2 pl-1.5">
      {percent !== undefined && !isWaiting && (
        <ProgressBar label="Uploading photos" value={percent} tone="text" />
      )}
      <IconButton label="Don’t send" onClick={onCancel} className="text-inherit!">
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}
