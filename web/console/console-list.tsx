import type { ReactNode } from 'react';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { ConsoleListResult as List } from './use-console-list.ts';

interface ConsoleListProps<Item> {
  list: List<Item>;
  /** The plural noun for the listed items, in lower case, for messages such as 'Failed to load people'. */
  what: string;
  /** Title of the empty state. */
  empty: string;
  children: (items: Item[]) => ReactNode;
}

/** A list with loading, error and empty states. It loads the next page when the person scrolls to its end. */
export function ConsoleList<Item>({ list, what, empty, children }: ConsoleListProps<Item>) {
  const { items, failed, reload, nextCursor, loadMore } = list;
  if (!items) {
    return failed ? (
      <LoadFailed onRetry={reload}>{`Failed to load ${what}`}</LoadFailed>
    ) : (
      <ListSkeleton what={what} />
    );
  }
  if (items.length === 0) return <EmptyState illustration={<NothingFoundIllustration />} title={empty} />;
  return (
    <>
      {children(items)}
      {nextCursor && (
        <LoadMore
          end={nextCursor}
          load={loadMore}
          failed={`More ${what} could not be loaded.`}
          className="mt-6"
        />
      )}
    </>
  );
}

function ListSkeleton({ what }: { what: string }) {
  return (
    <div aria-busy="true" className="grid gap-2">
      <span role="status" className="sr-only">{`Loading ${what}`}</span>
      {[0, 1, 2, 3, 4].map((index) => (
        <Skeleton key={index} className="h-14 rounded-lg" />
      ))}
    </div>
  );
}
