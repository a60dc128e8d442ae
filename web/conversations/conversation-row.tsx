import { clsx } from 'clsx';
import { memo } from 'react';
import { Link } from 'react-router';
import type { Conversation, ConversationDeal } from '#contract/conversations.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { links } from '#web/lib/links.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge, CountBadge, VerifiedBadge } from '#web/ui/badge.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { describeConversationDeal } from './conversation-deal.ts';
import { getOtherParty } from './other-party.ts';
import { isEventLine } from './thread.ts';
import { formatConversationTime } from './times.ts';
import { useMessageFormatter } from './use-message-format.ts';

export interface ConversationRowProps {
  conversation: Conversation;
  ownId: string;
  open: boolean;
  /** Whether the list is displayed alone, without an open conversation next to it. */
  alone: boolean;
  /** Whether the row above is about the same person. The name is then for screen readers only. */
  isContinued?: boolean;
}

export const toConversationRowId = (conversationId: string): string => `conversation-${conversationId}`;

export interface ConversationLinkState {
  chosen: boolean;
  /**
   * Whether the list was displayed without an open conversation when the person clicked this row.
   * Going back then returns to the list.
   */
  fromList: boolean;
}

/**
 * Returns whether the person clicked the conversation in the list, instead of opening its URL or
 * being redirected to it.
 */
export const wasConversationClicked = (state: unknown): boolean =>
  (state as ConversationLinkState | null)?.chosen === true;

/** Returns whether the previous history entry is the list of conversations. */
export const wasOpenedFromList = (state: unknown): boolean =>
  (state as ConversationLinkState | null)?.fromList === true;

interface DealLineProps {
  deal: ConversationDeal;
  conversation: Conversation;
  ownId: string;
}

/** What matters about the open deal: whose turn it is, the price, and the agreed time. */
function DealLine({ deal, conversation, ownId }: DealLineProps) {
  const campus = useCampus();
  const party = conversation.buyer_id === ownId ? 'buyer' : 'seller';
  const { isOwnTurn, text } = describeConversationDeal(deal, party, {
    askingPrice: conversation.listing.price,
    campus,
    now: new Date(),
  });
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-sm">
      {isOwnTurn && <Badge tone="gold">Your turn</Badge>}
      <span className="figures min-w-0 break-words font-semibold">{text}</span>
    </span>
  );
}

/** A row in the list of conversations: photo, person, time, listing title and last message. */
export const ConversationRow = memo(
  ({ conversation, ownId, open, alone, isContinued }: ConversationRowProps) => {
    const { listing, deal, last_message: last, unread_count: unread } = conversation;
    const { name, verified } = getOtherParty(conversation);
    const format = useMessageFormatter(conversation, ownId);
    const isOwnText = last?.sender_id === ownId && !isEventLine(last);
    const title = (
      <span dir="auto" className="block min-w-0 truncate text-start text-ink-muted text-xs">
        {listing.title}
      </span>
    );
    return (
      <Link
        id={toConversationRowId(conversation.id)}
        to={links.conversation(conversation.id)}
        state={{ chosen: true, fromList: alone } satisfies ConversationLinkState}
        // Next to the open conversation, the list stays where it is.
        preventScrollReset={!alone}
        aria-current={open ? 'true' : undefined}
        className="flex gap-3 border-transparent border-l-4 px-3 py-3 -outline-offset-3 transition-colors hover:bg-hover aria-[current=true]:border-brand-text aria-[current=true]:bg-brand-soft md:px-4"
      >
        <Photo
          {...getPhotoSources(listing.cover)}
          // A landscape photo has the height of the square frame (3.5rem) and its sides are cropped, so it is
          // drawn wider than the frame.
          sizes="4.75rem"
          alt=""
          ratio="square"
          className="size-14 shrink-0 rounded-md"
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span
              className={clsx(
                unread > 0 ? 'font-extrabold' : 'font-semibold',
                isContinued ? 'sr-only' : 'min-w-0 truncate',
              )}
            >
              <bdi>{name}</bdi>
            </span>
            {verified && !isContinued && <VerifiedBadge compact />}
            {isContinued && title}
            <time
              dateTime={last?.created_at ?? conversation.updated_at}
              className="figures ml-auto shrink-0 text-ink-muted text-xs"
            >
              {formatConversationTime(last?.created_at ?? conversation.updated_at, new Date())}
            </time>
          </span>
          {!isContinued && title}
          {deal && <DealLine deal={deal} conversation={conversation} ownId={ownId} />}
          <span className="mt-0.5 flex items-center gap-2">
            <span
              data-shortened
              dir={last && !isOwnText && !isEventLine(last) ? 'auto' : undefined}
              className={clsx(
                'min-w-0 flex-1 truncate text-sm',
                unread > 0 ? 'font-semibold' : 'text-ink-muted',
              )}
            >
              {last ? `${isOwnText ? 'You: ' : ''}${isolateDirection(format(last))}` : 'No messages yet'}
            </span>
            <CountBadge count={unread} />
            {unread > 0 && <span className="sr-only">unread</span>}
          </span>
        </span>
      </Link>
    );
  },
);
