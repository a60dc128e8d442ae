import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { type ListedConversation, messagingErrorMessages } from '#contract/conversations.ts';
import { NextHandover, useHandovers } from '#web/deals/public.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { groupByListing, groupByPerson } from './inbox.ts';
import { type InboxFilter, isWholeInbox } from './inbox-filter.ts';
import { useFilteredInbox } from './use-filtered-inbox.ts';
import type { UseInboxResult } from './use-inbox.ts';

export interface ConversationListProps {
  inbox: UseInboxResult;
  ownId: string;
  openId: string | undefined;
  filter: InboxFilter;
}

/** The list of conversations that a filter leaves, most recent first. Further pages load when the person scrolls to its end. */
export function ConversationList({ inbox, ownId, openId, filter }: ConversationListProps) {
  const { data, failed, reload, loadMore } = useFilteredInbox(ownId, inbox, filter);
  const { isFetched } = useHandovers(ownId);
  const isOnline = useOnline();
  const isWhole = isWholeInbox(filter);
  // The card of the next handover would move the rows below it if it appeared later.
  const awaitsCard = isWhole && !isFetched && data?.items.some(({ deal }) => deal?.handover_at);
  if (data && !awaitsCard) {
    return (
      <>
        {isWhole && <NextHandover ownId={ownId} className="border-line border-b bg-brand-soft" />}
        <ConversationRows items={data.items} ownId={ownId} openId={openId} filter={filter} />
        {data.next_cursor && (
          <LoadMore
            end={data.next_cursor}
            load={loadMore}
            failed="More conversations could not be loaded."
            className="p-4"
          />
        )}
      </>
    );
  }
  if (failed && !isOnline && !isWhole) {
    return (
      <p role="status" className="p-4 text-ink-muted text-sm">
        {filter.q
          ? 'You’re offline. Search again when you are back online.'
          : 'You’re offline. These conversations load when you are back online.'}
      </p>
    );
  }
  if (failed) {
    return (
      <div className="p-4">
        <LoadFailed onRetry={reload}>{messagingErrorMessages.loadAll}</LoadFailed>
      </div>
    );
  }
  return (
    <div aria-busy="true">
      <span className="sr-only">Loading conversations</span>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex gap-3 p-4">
          <Skeleton className="size-14 rounded-md" />
          <div className="flex-1 space-y-2 py-1">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-3 w-4/5" />
            <Skeleton className="h-3 w-2/5" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** What the list says when a filter leaves no conversation. */
const describeEmptyList = ({ tab, q, archived }: InboxFilter): { title: string; text?: string } => {
  if (q)
    return { title: 'Nothing found', text: 'Try a name, the title of a listing, or a word of a message.' };
  if (archived)
    return { title: 'Nothing archived', text: 'Archived conversations return with the next message.' };
  switch (tab) {
    case 'all':
      return { title: 'No conversations yet' };
    case 'buying':
      return { title: 'Nothing you’re buying', text: 'What you ask sellers appears here.' };
    case 'selling':
      return { title: 'Nothing you’re selling', text: 'What people ask about your listings appears here.' };
    case 'unread':
      return { title: 'You’re all caught up', text: 'Unread messages appear here.' };
  }
};

interface ConversationRowsProps {
  items: readonly ListedConversation[];
  ownId: string;
  openId: string | undefined;
  filter: InboxFilter;
}

function ConversationRows({ items, ownId, openId, filter }: ConversationRowsProps) {
  const openRow = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another open conversation has another row
  useEffect(() => {
    const showOpenRow = () => openRow.current?.scrollIntoView({ block: 'nearest' });
    showOpenRow();
    // The rows that are rendered now may be higher than their estimates.
    const frame = requestAnimationFrame(showOpenRow);
    return () => cancelAnimationFrame(frame);
  }, [openId]);
  if (items.length === 0) {
    const { title, text } = describeEmptyList(filter);
    return (
      <div role="status" className="p-4 text-center">
        <p className="font-semibold">{title}</p>
        {text && <p className="text-ink-muted text-sm">{text}</p>}
      </div>
    );
  }
  const isByListing = filter.tab === 'selling' && !filter.q;
  const groups = isByListing
    ? groupByListing(items)
    : filter.q
      ? items.map((item) => [item])
      : groupByPerson(items);
  return (
    <ul>
      {groups.flatMap((group) =>
        group.map((item, index) => (
          // `content-visibility` lets the browser skip rendering rows that are far off screen.
          <li
            key={item.id}
            ref={item.id === openId ? openRow : undefined}
            className={clsx(
              '[contain-intrinsic-size:auto_5.75rem] [content-visibility:auto]',
              index === 0 && 'border-line not-first:border-t',
            )}
          >
            {isByListing && group.length > 1 && index === 0 && (
              <p className="flex gap-2 px-4 pt-3 font-semibold text-sm">
                <bdi className="min-w-0 truncate">{item.listing.title}</bdi>
                <span className="shrink-0 text-ink-muted">{`${group.length} buyers`}</span>
              </p>
            )}
            <ConversationRow
              conversation={item}
              ownId={ownId}
              open={item.id === openId}
              alone={!openId}
              isContinued={!isByListing && index > 0}
              isUnderListing={isByListing && group.length > 1}
              filter={filter}
            />
          </li>
        )),
      )}
    </ul>
  );
}
