import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { calls } from '#contract/calls.ts';
import { dealPartySchema } from '#contract/deal-event-lines.ts';
import { type DealState, dealStates, isOpenDealState } from '#contract/deal-states.ts';
import { dealStateLabels } from '#contract/deal-status.ts';
import type { Deal } from '#contract/deals.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import { request } from '#web/lib/api.ts';
import { formatCampusDate } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { loadNextPage, queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useLatestSearchParams } from '#web/lib/use-latest-search.ts';
import { Badge } from '#web/ui/badge.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Price } from '#web/ui/price.tsx';
import { Select } from '#web/ui/select.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';
import { dealsQueryKey } from './refresh-deals.ts';

/**
 * Time in milliseconds for which the list stays cached after the person has left it, so that Back shows it at
 * once.
 */
const returnTimeMs = 10 * 60_000;

const roleOptions = [
  { value: '', label: 'All deals' },
  { value: 'buyer', label: 'As buyer' },
  { value: 'seller', label: 'As seller' },
];
const stateOptions = [
  { value: '', label: 'All states' },
  ...dealStates.map((state) => ({ value: state, label: dealStateLabels[state] })),
];

/** All deals of the person, newest first, with a filter. */
export function TransactionHistory({ ownId }: { ownId: string }) {
  const [search, setSearch] = useSearchParams();
  const role = dealPartySchema.safeParse(search.get('role')).data;
  const state = dealStates.find((it) => it === search.get('state'));
  const isFiltered = role !== undefined || state !== undefined;
  const getLatestSearch = useLatestSearchParams();
  const setFilter = (name: 'role' | 'state', value: string): void => {
    const latest = getLatestSearch();
    if (value) latest.set(name, value);
    else latest.delete(name);
    setSearch(latest, { replace: true, preventScrollReset: true });
  };
  const { data, isError, refetch, fetchNextPage } = useInfiniteQuery(
    {
      queryKey: [...dealsQueryKey(ownId), 'history', role, state],
      queryFn: ({ pageParam: cursor, signal }) =>
        request(calls.listDeals, { query: { cursor, role, state }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next_cursor }) => next_cursor,
      gcTime: returnTimeMs,
    },
    queryClient,
  );
  const deals = data?.pages.flatMap(({ items }) => items);
  const end = data?.pages.at(-1)?.next_cursor;
  if (deals?.length === 0 && !isFiltered) {
    return (
      <EmptyState
        illustration={<NothingFoundIllustration />}
        title="No transactions yet"
        text="Your completed transactions will appear here"
      />
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <StandaloneLink to={links.handovers}>Coming handovers</StandaloneLink>
      <div className="two-columns gap-3">
        <Field label="Role" hideLabel>
          <Select
            options={roleOptions}
            value={role ?? ''}
            onChange={({ target }) => setFilter('role', target.value)}
          />
        </Field>
        <Field label="State" hideLabel>
          <Select
            options={stateOptions}
            value={state ?? ''}
            onChange={({ target }) => setFilter('state', target.value)}
          />
        </Field>
      </div>
      {isError && !deals ? (
        <LoadFailed onRetry={() => void refetch()}>Failed to load transactions</LoadFailed>
      ) : deals ? (
        deals.length > 0 ? (
          <ul
            aria-label="Transactions"
            className="divide-y divide-line rounded-lg border border-line bg-surface"
          >
            {deals.map((deal) => (
              <HistoryRow key={deal.id} deal={deal} ownId={ownId} />
            ))}
          </ul>
        ) : (
          <EmptyState
            illustration={<NothingFoundIllustration />}
            title="No such transactions"
            text="Try another filter."
          />
        )
      ) : (
        <div aria-busy="true" className="flex flex-col gap-2">
          <span role="status" className="sr-only">
            Loading transactions
          </span>
          <Skeleton className="h-18" />
          <Skeleton className="h-18" />
          <Skeleton className="h-18" />
        </div>
      )}
      {end && (
        <LoadMore end={end} load={() => loadNextPage(fetchNextPage)} failed="Failed to load transactions" />
      )}
    </div>
  );
}

const getStateTone = (state: DealState) => {
  if (state === 'completed') return 'positive';
  return isOpenDealState(state) ? 'gold' : 'neutral';
};

function HistoryRow({ deal, ownId }: { deal: Deal; ownId: string }) {
  const campus = useCampus();
  const name = deal.other?.name ?? deletedUserName;
  const isOpen = isOpenDealState(deal.state);
  const date = isOpen ? deal.created_at : deal.updated_at;
  return (
    <li>
      <Link
        to={links.conversation(deal.conversation_id)}
        className="flex items-center gap-3 px-4 py-3 hover:bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span dir="auto" className="block truncate text-start font-bold">
            {deal.title}
          </span>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-muted text-sm">
            {deal.price !== null && <Price amount={deal.price} />}
            <span className="min-w-0 break-words">
              {deal.buyer_id === ownId ? 'from' : 'to'} <bdi>{name}</bdi>
            </span>
          </span>
          <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-muted text-sm">
            <Badge tone={getStateTone(deal.state)}>{dealStateLabels[deal.state]}</Badge>
            <span>
              <span>{isOpen ? 'Started ' : 'Ended '}</span>
              <time dateTime={date}>{formatCampusDate(date, campus)}</time>
            </span>
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-muted" />
      </Link>
    </li>
  );
}
