import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import type { Conversation } from '#contract/conversations.ts';
import { messagingErrorMessages } from '#contract/conversations.ts';
import { NextHandover, useHandovers } from '#web/deals/public.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { groupByPerson } from './inbox.ts';
import type { UseInboxResult } from './use-inbox.ts';

export interface ConversationListProps {
  inbox: UseInboxResult;
  ownId: string;
  openId: string | undefined;
}

/** The list of conversations, most recent first. Further pages load when the person scrolls to its end. */
export function ConversationList({ inbox, ownId, openId }: ConversationListProps) {
  const { data, failed, reload, loadMore } = inbox;
  const { isFetched } = useHandovers(ownId);
  // The card above the rows would move them if it appeared later.
  if (data && isFetched) {
    return (
      <>
        <NextHandover ownId={ownId} className="border-line border-b bg-brand-soft" />
        <ConversationRows items={data.items} ownId={ownId} openId={openId} />
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

interface ConversationRowsProps {
  items: readonly Conversation[];
  ownId: string;
  openId: string | undefined;
}

function ConversationRows({ items, ownId, openId }: ConversationRowsProps) {
  const openRow = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another open conversation has another row
  useEffect(() => {
    const showOpenRow = () => openRow.current?.scrollIntoView({ block: 'nearest' });
    showOpenRow();
    // The rows that are rendered now may be higher than their estimates.
    const frame = requestAnimationFrame(showOpenRow);
    return () => cancelAnimationFrame(frame);
  }, [openId]);
  if (items.length === 0) return <p className="p-4 text-ink-muted text-sm">No conversations yet</p>;
  return (
    <ul>
      {groupByPerson(items).flatMap((group) =>
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
            <ConversationRow
              conversation={item}
              ownId={ownId}
              open={item.id === openId}
              alone={!openId}
              isContinued={index > 0}
            />
          </li>
        )),
      )}
    </ul>
  );
}
