import { addDays } from '#contract/days.ts';
import type { DealParty, DealState } from '#contract/deal-states.ts';
import type { DealTransitionName } from '#contract/deal-transitions.ts';

/** A transition in a rental deal: the party that makes it, its name, the resulting state, and its data. */
export type RentalTransition = [
  by: DealParty,
  transition: DealTransitionName,
  state: DealState,
  data?: object,
];

/**
 * Returns all transitions of a two-day rental after the offer, from the seller's answer to the item's return.
 * They are valid at any time before the first day.
 */
export const createRentalTransitions = (firstDay: string): RentalTransition[] => {
  // 18:00 UTC is 10:00 or 11:00 on the default campus.
  const time = `${firstDay}T18:00:00.000Z`;
  return [
    ['seller', 'counter', 'offered', { price: 15 }],
    ['buyer', 'accept', 'held'],
    ['seller', 'propose_handover', 'held', { place: 'The fountain', times: [time] }],
    ['buyer', 'agree_handover', 'held', { time }],
    ['seller', 'handed_over', 'handed_over'],
    ['buyer', 'received', 'out'],
    ['buyer', 'extend', 'out', { last_day: addDays(firstDay, 2) }],
    ['seller', 'accept_extension', 'out'],
    ['buyer', 'returned', 'back'],
    ['seller', 'object', 'out'],
    ['seller', 'returned', 'completed'],
  ];
};
