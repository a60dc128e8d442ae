import { randomUUID } from 'node:crypto';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import type { DealState } from '#contract/deal-states.ts';
import type { Deal } from '#contract/deals.ts';
import { createRentalTransitions } from '#server/testing/rental-transitions.ts';
import { callApi, type Deployment, type Student } from '../support/students.ts';
import type { TestConversation } from './test-conversations.ts';
import { repeatUntilAcknowledged } from './writers-and-readers.ts';

/** A transition that the server has acknowledged, and whose event line must therefore be stored. */
export interface AcknowledgedTransition {
  client_id: string;
  deal_id: string;
  /** Number of the transition in its deal, from 1. */
  number: number;
  transition: string;
  state: DealState;
}

/** Number of transitions that each deal makes, including the one that starts it. */
export const transitionsPerDeal = createRentalTransitions('2026-03-02').length + 1;

/**
 * Makes complete rentals in a conversation, one after the other, until `isDone` returns true; the last rental
 * is completed, too. Conversations with different indexes rent on different days. Each transition is retried
 * with the same client id until the server acknowledges it.
 */
export const makeDeals = async (
  quad: Deployment,
  { listingId, parties: [seller, buyer] }: TestConversation,
  index: number,
  isDone: () => boolean,
  onAcknowledged: () => void | Promise<void> = () => {},
): Promise<AcknowledgedTransition[]> => {
  const acknowledged: AcknowledgedTransition[] = [];
  const firstDay = addDays(toCampusDay(defaultCampus, new Date()), 10 + 4 * index);
  const post = async (
    { token }: Student,
    path: string,
    { state, ...made }: Omit<AcknowledgedTransition, 'deal_id'>,
    data: object,
  ): Promise<Deal> => {
    const body = { client_id: made.client_id, ...data };
    const deal = await repeatUntilAcknowledged(() => callApi<Deal>(quad, path, { token, body }));
    if (deal.state !== state) throw new Error(`${made.transition} answered with the state ${deal.state}`);
    acknowledged.push({ ...made, state, deal_id: deal.id });
    await onAcknowledged();
    return deal;
  };
  while (!isDone()) {
    const deal = await post(
      buyer,
      '/rest/v1/deals',
      { client_id: randomUUID(), number: 1, transition: 'offer', state: 'offered' },
      { listing_id: listingId, price: 20, first_day: firstDay, last_day: addDays(firstDay, 1) },
    );
    for (const [at, [by, transition, state, data]] of createRentalTransitions(firstDay).entries()) {
      await post(
        by === 'buyer' ? buyer : seller,
        `/rest/v1/deals/${deal.id}/transitions`,
        { client_id: randomUUID(), number: at + 2, transition, state },
        { transition, ...data },
      );
    }
  }
  return acknowledged;
};
