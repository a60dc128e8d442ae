import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { calls } from '#contract/calls.ts';
import { addDays } from '#contract/days.ts';
import { formatDay } from '#contract/deal-event-lines.ts';
import type { Deal } from '#contract/deals.ts';
import type { MarkSoldBody, OwnListing } from '#contract/listings.ts';
import { toCampusMinute } from '#contract/rental-times.ts';
import { maxRentedDaysAhead } from '#contract/selling.ts';
import {
  dealQueueQuery,
  describeEffectOnDeals,
  describeOpenDeals,
  findObstacleToAction,
} from '#web/deals/public.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Calendar } from '#web/ui/calendar.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormAlert } from '#web/ui/form-alert.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { getMarkSoldLabel } from './mark-sold-label.ts';

export interface MarkSoldDialogProps {
  listing: OwnListing;
  /** The current date on campus (YYYY-MM-DD). */
  today: string;
  onChoose: (sale: MarkSoldBody) => void;
  onClose: () => void;
}

/**
 * Asks the owner who got the item: somebody else (one tap), or one of the people who sent a message about
 * the listing.
 */
export function MarkSoldDialog({ listing, today, onChoose, onClose }: MarkSoldDialogProps) {
  const [comesBack, setComesBack] = useState(false);
  const [until, setUntil] = useState('');
  const [isDayMissing, setIsDayMissing] = useState(false);
  const { data, isError, refetch } = useQuery(
    {
      queryKey: ['interested-people', listing.user_id, listing.id],
      queryFn: ({ signal }) => request(calls.listInterestedPeople, { params: { id: listing.id }, signal }),
      staleTime: 0,
    },
    queryClient,
  );
  // `listing.open_deals` may be out of date, and so may cached deals.
  const queue = useQuery({ ...dealQueueQuery(listing.user_id, listing.id), staleTime: 0 }, queryClient);
  const isCheckingDeals = !queue.isFetchedAfterMount;
  const deals = queue.data?.items ?? [];
  const campus = useCampus();
  /**
   * Returns why the person with this id cannot be chosen as the buyer or, without an id, why "somebody else"
   * cannot be chosen. Returns undefined if the choice is possible. An open deal with the chosen person does
   * not prevent it.
   */
  const findObstacleFor = (personId?: string) =>
    findObstacleToAction(
      deals.filter(({ buyer_id: buyerId }) => !personId || buyerId !== personId),
      'sell',
      { campus, now: new Date() },
    );
  const choose = (to_user_id?: string): void => {
    if (comesBack && !until) setIsDayMissing(true);
    else onChoose({ ...(to_user_id ? { to_user_id } : {}), ...(comesBack ? { until } : {}) });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={getMarkSoldLabel(listing)}
      description={<bdi>{listing.title}</bdi>}
      size="sm"
    >
      <div className="flex flex-col gap-5">
        {listing.category === 'rentals' && (
          <div className="flex flex-col gap-3">
            <Field label="Does it come back?">
              <RadioGroup
                value={comesBack ? 'yes' : 'no'}
                onValueChange={(value) => setComesBack(value === 'yes')}
                options={[
                  { value: 'no', label: 'No, it’s rented for good' },
                  { value: 'yes', label: 'Yes, after some days' },
                ]}
              />
            </Field>
            {comesBack && (
              <div>
                <Calendar
                  mode="day"
                  from={today}
                  to={addDays(today, maxRentedDaysAhead)}
                  today={today}
                  chosen={until}
                  onChoose={(day) => {
                    setUntil(day);
                    setIsDayMissing(false);
                  }}
                />
                <p aria-live="polite" className="mt-2 text-center text-sm">
                  {until
                    ? `Last day of the rental: ${formatDay(until, campus)}`
                    : 'Choose the last day of the rental'}
                </p>
                <FormAlert className="text-center">
                  {isDayMissing ? 'Please choose a day' : undefined}
                </FormAlert>
              </div>
            )}
          </div>
        )}
        {(listing.open_deals > 0 || !queue.isPending) && <DealsNotice queue={queue} />}
        <Button wide disabled={isCheckingDeals || findObstacleFor() !== undefined} onClick={() => choose()}>
          {data?.items.length === 0 ? getMarkSoldLabel(listing) : 'To somebody else'}
        </Button>
        {!data && !isError && <Skeleton className="h-14 w-full" />}
        {!data && isError && (
          <LoadFailed onRetry={() => void refetch()}>Failed to load who wrote about it</LoadFailed>
        )}
        {data && data.items.length > 0 && (
          <section aria-labelledby="interested-people">
            <h3 id="interested-people" className="font-bold">
              Or to somebody who wrote to you
            </h3>
            <p className="mt-1 text-ink-muted text-sm">They are asked to confirm it within 14 days.</p>
            <ul className="mt-3 divide-y divide-line overflow-hidden rounded-lg border border-line">
              {data.items.map((person) => (
                <li key={person.id}>
                  <PersonButton
                    disabled={isCheckingDeals || findObstacleFor(person.id) !== undefined}
                    onClick={() => choose(person.id)}
                  >
                    <Avatar name={person.name} src={person.avatar_url} />
                    <bdi className="min-w-0 truncate font-semibold">{person.name}</bdi>
                    {person.usc_verified && <VerifiedBadge compact />}
                  </PersonButton>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}

/** Says who has or wants the listing, and what happens to their deals. */
function DealsNotice({ queue }: { queue: UseQueryResult<{ items: Deal[] }> }) {
  const { data, isError, refetch } = queue;
  const campus = useCampus();
  if (!data && isError)
    return <LoadFailed onRetry={() => void refetch()}>Failed to load who asked for it</LoadFailed>;
  if (!data) return <Skeleton className="h-14 w-full" />;
  const sentences = describeOpenDeals(data.items, toCampusMinute(campus, new Date()), campus);
  if (!sentences) return null;
  return (
    <Alert tone="notice" title={sentences}>
      {findObstacleToAction(data.items, 'sell', { campus, now: new Date() }) ??
        describeEffectOnDeals(data.items, 'sell')}
    </Alert>
  );
}

function PersonButton(props: { disabled: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      {...props}
      className="flex min-h-14 w-full items-center gap-3 px-3 py-2 text-start -outline-offset-3 transition-colors enabled:hover:bg-hover disabled:opacity-50"
    />
  );
}
