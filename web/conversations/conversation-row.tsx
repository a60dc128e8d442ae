import { clsx } from 'clsx';
import { memo } from 'react';
import { Link } from 'react-router';
import type { Conversation } from '#contract/conversations.ts';
import { links } from '#web/lib/links.ts';
import { photoSources } from '#web/lib/photo-sources.ts';
import { CountBadge, VerifiedBadge } from '#web/ui/badge.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { getOtherParty } from './other-party.ts';
import { formatRowTime } from './times.ts';

export interface ConversationRowProps {
  conversation: Conversation;
  ownId: string;
  open: boolean;
  /** No conversation is open beside the list. */
  alone: boolean;
}

/** Returns the element id of a conversation's row. */
export const conversationRowId = (conversationId: string): string => `conversation-${conversationId}`;

interface RowLinkState {
  chosen: true;
  /** Chosen from the list alone, as on a phone, so the list is the previous history entry. */
  fromList: boolean;
}

/** Returns whether the person chose the conversation, as opposed to opening its URL or being redirected to it. */
export const wasChosenByPerson = (state: unknown): boolean => (state as RowLinkState | null)?.chosen === true;

/** Returns whether the previous history entry is the list. */
export const wasOpenedFromList = (state: unknown): boolean =>
  (state as RowLinkState | null)?.fromList === true;

/** One row of the list: photo, person, time, listing title and last message. */
export const ConversationRow = memo(({ conversation, ownId, open, alone }: ConversationRowProps) => {
  const { listing, last_message: last, unread_count: unread } = conversation;
  const { name, verified } = getOtherParty(conversation);
  return (
    <Link
      id={conversationRowId(conversation.id)}
      to={links.conversation(conversation.id)}
      state={{ chosen: true, fromList: alone } satisfies RowLinkState}
      aria-current={open ? 'true' : undefined}
      className="flex gap-3 border-transparent border-l-4 px-3 py-3 -outline-offset-3 transition-colors hover:bg-hover aria-[current=true]:border-brand-text aria-[current=true]:bg-brand-soft md:px-4"
    >
      <Photo
        {...photoSources(listing.cover)}
        // A landscape photo is drawn wider than the square that it fills.
        sizes="4.75rem"
        alt=""
        ratio="square"
        className="size-14 shrink-0 rounded-md"
      />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className={clsx('min-w-0 truncate', unread > 0 ? 'font-extrabold' : 'font-semibold')}>
            <bdi>{name}</bdi>
          </span>
          {verified && <VerifiedBadge compact />}
          <time
            dateTime={last?.created_at ?? conversation.updated_at}
            className="figures ml-auto shrink-0 text-ink-muted text-xs"
          >
            {formatRowTime(last?.created_at ?? conversation.updated_at, new Date())}
          </time>
        </span>
        <span dir="auto" className="block truncate text-start text-ink-muted text-xs">
          {listing.title}
        </span>
        <span className="mt-0.5 flex items-center gap-2">
          <span
            dir="auto"
            className={clsx(
              'min-w-0 flex-1 truncate text-sm',
              unread > 0 ? 'font-semibold' : 'text-ink-muted',
            )}
          >
            {last ? `${last.sender_id === ownId ? 'You: ' : ''}${last.message_text}` : 'No messages yet'}
          </span>
          <CountBadge count={unread} />
          {unread > 0 && <span className="sr-only">unread</span>}
        </span>
      </span>
    </Link>
  );
});
