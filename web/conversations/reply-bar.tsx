import { X } from 'lucide-react';
import type { QuotedMessage } from '#contract/conversations.ts';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MessageQuote } from './message-quote.tsx';

export interface ReplyBarProps {
  conversationId: string;
  quoted: QuotedMessage;
  otherName: string;
  onCancel: () => void;
}

/** The message that the one being written replies to, above the message input. */
export function ReplyBar({ conversationId, quoted, otherName, onCancel }: ReplyBarProps) {
  const isOwn = quoted.sender_id === getSessionSnapshot().user?.id;
  return (
    <section
      aria-label="Your reply to"
      className="flex items-center gap-2 pt-2 pr-1 pl-3 text-ink-muted md:pl-5"
    >
      <div className="min-w-0 flex-1">
        <MessageQuote conversationId={conversationId} quoted={quoted} name={isOwn ? 'You' : otherName} />
      </div>
      <IconButton label="Don’t reply to it" onClick={onCancel}>
        <X aria-hidden="true" />
      </IconButton>
    </section>
  );
}
