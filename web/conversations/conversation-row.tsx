import { clsx } from 'clsx';
import { BellOff } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import type { Conversation, ConversationDeal, ListedConversation } from '#contract/conversations.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge, CountBadge, VerifiedBadge } from '#web/ui/badge.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { describeConversationDeal } from './conversation-deal.ts';
import { ConversationMenu, isMuted } from './conversation-menu.tsx';
import { buildInboxPath, type InboxFilter } from './inbox-filter.ts';
import type { ConversationLinkState } from './link-state.ts';
import { getOtherParty } from './other-party.ts';
import { isEventLine } from './thread.ts';
import { formatConversationTime } from './times.ts';
import { useMessageFormatter } from './use-message-format.ts';

export interface ConversationRowProps {
  conversation: ListedConversation;
  ownId: string;
  open: boolean;
  /** Whether the list is displayed alone, without an open conversation next to it. */
  alone: boolean;
  /** Whether the row above is about the same person. The name is then for screen readers only. */
  isContinued?: boolean;
  /** Whether a heading above names the listing. */
  isUnderListing?: boolean;
  /** The filter of the list, which the links keep. */
  filter: InboxFilter;
}

export const toConversationRowId = (conversationId: string): string => `conversation-${conversationId}`;

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
  ({ conversation, ownId, open, alone, isContinued, isUnderListing, filter }: ConversationRowProps) => {
    const campus = useCampus();
    const { listing, deal, last_message: last, unread_count: unread } = conversation;
    const { name, verified } = getOtherParty(conversation);
    const format = useMessageFormatter(conversation, ownId);
    const isOwnText = last?.sender_id === ownId && !isEventLine(last);
    const linkState = { chosen: true, fromList: alone } satisfies ConversationLinkState;
    const title = !isUnderListing && (
      <span dir="auto" className="block min-w-0 truncate text-start text-ink-muted text-xs">
        {listing.title}
      </span>
    );
    const row = (
      <Link
        id={toConversationRowId(conversation.id)}
        to={buildInboxPath(filter, { id: conversation.id })}
        state={linkState}
        // Next to the open conversation, the list stays where it is.
        preventScrollReset={!alone}
        aria-current={open ? 'true' : undefined}
        className="flex min-w-0 flex-1 gap-3 border-transparent border-l-4 px-3 py-3 -outline-offset-3 transition-colors hover:bg-hover aria-[current=true]:border-brand-text aria-[current=true]:bg-brand-soft md:px-4"
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
            {isMuted(conversation) && (
              <span className="ml-auto shrink-0 text-ink-muted">
                <BellOff aria-hidden="true" className="size-3.5" />
                <span className="sr-only">Muted</span>
              </span>
            )}
            <time
              dateTime={last?.created_at ?? conversation.updated_at}
              className={clsx('figures shrink-0 text-ink-muted text-xs', !isMuted(conversation) && 'ml-auto')}
            >
              {formatConversationTime(last?.created_at ?? conversation.updated_at, new Date(), campus)}
            </time>
          </span>
          {!isContinued && title}
          {conversation.archived && !filter.archived && <Badge>Archived</Badge>}
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
    return (
      <>
        <div className={clsx('flex items-center', open && 'bg-brand-soft')}>
          {row}
          <ConversationMenu conversation={conversation} ownId={ownId} />
        </div>
        {conversation.found?.map(({ seq, sender_id, message_text, created_at }) => (
          <Link
            key={seq}
            to={buildInboxPath(filter, { id: conversation.id, seq })}
            state={linkState}
            preventScrollReset={!alone}
            className="flex min-h-11 items-center gap-2 py-2 pr-3 pl-9 text-sm -outline-offset-3 hover:bg-hover"
          >
            <span className="min-w-0 flex-1">
              {sender_id === ownId && <span>You: </span>}
              <bdi>{message_text}</bdi>
            </span>
            <time dateTime={created_at} className="figures shrink-0 text-ink-muted text-xs">
              {formatConversationTime(created_at, new Date(), campus)}
            </time>
          </Link>
        ))}
      </>
    );
  },
);
