import { Image } from 'lucide-react';
import type { QuotedMessage } from '#contract/conversations.ts';
import { StoredPhoto } from './message-photos.tsx';

export interface MessageQuoteProps {
  conversationId: string;
  quoted: QuotedMessage;
  /** The name of its author. */
  name: string;
}

/** The author, the first photo and the beginning of a message that another one replies to. */
export function MessageQuote({ conversationId, quoted, name }: MessageQuoteProps) {
  const { message_text: text, has_photos: hasPhotos, photo_id: photoId } = quoted;
  return (
    <span className="flex min-w-0 items-center gap-2 border-current border-l-4 pl-2 text-left text-sm">
      {photoId && (
        <span aria-hidden="true" className="size-10 shrink-0 overflow-hidden rounded-md">
          <StoredPhoto photo={{ id: photoId }} conversationId={conversationId} alt="" />
        </span>
      )}
      <span className="block min-w-0">
        <span className="block font-semibold">
          <bdi>{name}</bdi>
        </span>
        <span className="flex items-center gap-1">
          {hasPhotos && !photoId && <Image aria-hidden="true" className="size-4 shrink-0" />}
          <span dir="auto" className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">
            {text}
          </span>
        </span>
      </span>
    </span>
  );
}
