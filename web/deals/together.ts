import { queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { type ChangedDeal, type Deal, maxFurtherDeals } from '#contract/deals.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { toast } from '#web/ui/toast.ts';
import type { TransitionInput } from './make-transition.ts';
import { dealsQueryKey } from './refresh-deals.ts';

/** The query that loads the person's deals on hold with another person. */
export const heldDealsWithQuery = (ownId: string, otherId: string) =>
  queryOptions({
    queryKey: [...dealsQueryKey(ownId), 'held', otherId],
    queryFn: async ({ signal }) => {
      const query = { state: 'held', other_id: otherId } as const;
      const { items } = await request(calls.listDeals, { query, signal });
      return items;
    },
  });

/** Returns the person's deals on hold with another person, or none if they cannot be loaded. */
export const fetchHeldDeals = (ownId: string, otherId: string): Promise<Deal[]> =>
  queryClient.fetchQuery({ ...heldDealsWithQuery(ownId, otherId), staleTime: 0 }).catch(() => []);

const isSameMeeting = (a: Deal, b: Deal): boolean =>
  a.handover?.time === b.handover?.time && a.handover?.place === b.handover?.place;

/**
 * Lists the deals of the same two people for which a suggestion can be made as well: those without an agreed time, and
 * those with the same agreed time and place.
 */
export const listDealsToSuggestWith = (deal: Deal, held: readonly Deal[]): Deal[] =>
  held
    .filter(
      (other) =>
        other.id !== deal.id &&
        other.transitions.includes('propose_handover') &&
        // A rental is handed over on its first day or the day before.
        other.first_day === deal.first_day &&
        other.pickup_time === deal.pickup_time &&
        (!other.handover?.time || isSameMeeting(other, deal)),
    )
    .slice(0, maxFurtherDeals);

/** Lists the deals of the same two people for which the other person has suggested the same time and place. */
export const listDealsToAgreeWith = (deal: Deal, held: readonly Deal[], time: string): Deal[] =>
  held
    .filter(
      ({ id, transitions, handover }) =>
        id !== deal.id &&
        transitions.includes('agree_handover') &&
        handover?.proposal?.place === deal.handover?.proposal?.place &&
        handover?.proposal?.times.includes(time),
    )
    .slice(0, maxFurtherDeals);

const listFormat = new Intl.ListFormat('en');

/** Shows for how many items a handover was suggested or agreed, and which ones were left out. */
export const reportFurtherDeals = (
  input: TransitionInput,
  { also_for: made = [], skipped = [] }: ChangedDeal,
): void => {
  const wanted = 'also_for' in input && input.also_for ? input.also_for.length + 1 : 1;
  if (wanted === 1) return;
  const verb = input.transition === 'agree_handover' ? 'Agreed' : 'Suggested';
  if (made.length + 1 === wanted) {
    toast.success(`${verb} for ${wanted} items`);
    return;
  }
  const titles = listFormat.format(skipped.map(({ title }) => isolateDirection(title)));
  toast.message(
    `${verb} for ${made.length + 1} of ${wanted} items`,
    titles ? `Not for ${titles}: the deal has changed in the meantime.` : undefined,
  );
};
