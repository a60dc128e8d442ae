import { Image } from 'lucide-react';
import type { QuotedMessage } from '#contract/conversations.ts';

export interface MessageQuoteProps {
  quoted: QuotedMessage;
  /** The name of its author. */
  name: string;
}

/** The author and the beginning of a message that another one replies to. */
export function MessageQuote({ quoted, name }: MessageQuoteProps) {
  const { message_text: text, has_photos: hasPhotos } = quoted;
  return (
    <span className="block min-w-0 border-current border-l-4 pl-2 text-left text-sm">
      <span className="block font-semibold">
        <bdi>{name}</bdi>
      </span>
      <span className="flex items-center gap-1">
        {hasPhotos && <Image aria-hidden="true" className="size-4 shrink-0" />}
        <span dir="auto" className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">
          {text}
        </span>
      </span>
    </span>
  );
}
