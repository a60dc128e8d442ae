import type { CampusFormats } from '#contract/campus.ts';
import { isReservingDealState } from '#contract/deal-states.ts';
import { describeDeadline } from '#contract/deal-status.ts';
import type { Deal } from '#contract/deals.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import { formatRentalEnd, formatRentalPeriod, isRentalOver } from '#contract/rental-times.ts';
import { isolateDirection } from '#contract/text-direction.ts';

/** The actions by which an owner ends the open deals about a listing. */
export type DealEndingAction = 'draft' | 'delete' | 'sell';

const getName = ({ other }: Deal): string => isolateDirection(other?.name ?? deletedUserName);

const describeHolder = (deal: Deal, minute: string, campus: CampusFormats): string => {
  const name = getName(deal);
  if (deal.state === 'back') return `${name} says that you have it back`;
  if (deal.state === 'out') {
    const end = formatRentalEnd(deal, campus);
    return isRentalOver(deal, minute)
      ? `${name} still has it (due back on ${end})`
      : `${name} has it until ${end}`;
  }
  if (deal.state === 'handed_over') return `${name} still has to confirm that they have it`;
  if (!deal.first_day || !deal.last_day) return `${name} has this on hold`;
  return `${name} has ${formatRentalPeriod(deal, campus)} on hold`;
};

const describeOffers = (offers: readonly Deal[], hasHolder: boolean): string => {
  const [first] = offers;
  if (!first) return '';
  if (offers.length === 1) return `${getName(first)} asked for it`;
  return hasHolder ? `${offers.length} others asked` : `${offers.length} people asked for it`;
};

/**
 * Returns a sentence that says who has or wants an item, as in 'Maya has this on hold, 3 others asked.', or
 * an empty string if nobody does. `minute` is the current minute on the campus.
 */
export const describeOpenDeals = (deals: readonly Deal[], minute: string, campus: CampusFormats): string => {
  const holders = deals.filter(({ state }) => isReservingDealState(state));
  const offers = deals.filter(({ state }) => state === 'offered');
  const parts = [
    ...holders.map((deal) => describeHolder(deal, minute, campus)),
    describeOffers(offers, holders.length > 0),
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(', ')}.` : '';
};

const isOut = ({ state, kind }: Deal): boolean =>
  state === 'out' || state === 'back' || (state === 'handed_over' && kind === 'rental');

/**
 * Returns why an action is not possible while these deals are open, and until when, or undefined if it is
 * possible.
 */
export const findObstacleToAction = (
  deals: readonly Deal[],
  action: DealEndingAction,
  { campus, now }: { campus: CampusFormats; now: Date },
): string | undefined => {
  const out = action === 'delete' && deals.find(isOut);
  // A rental that was handed over is still out when its deadline has passed.
  if (out)
    return `You can delete the listing when it is back. ${
      out.state === 'back' ? describeDeadline(out, campus, now) : ''
    }`.trim();
  const unconfirmed = deals.find((deal) => deal.state === 'handed_over' && !isOut(deal));
  if (unconfirmed)
    return `You can change this when they have confirmed it. ${describeDeadline(unconfirmed, campus, now)}`;
  return undefined;
};

const beginnings: Record<DealEndingAction, string> = {
  draft: 'If you mark it as a draft,',
  delete: 'If you delete it,',
  sell: 'If it goes to somebody else,',
};

/**
 * Returns a sentence that says which of these deals an owner's action ends, or an empty string if it ends
 * none.
 */
export const describeEffectOnDeals = (deals: readonly Deal[], action: DealEndingAction): string => {
  const holds = deals.filter(({ state }) => state === 'held').length;
  const offers = deals.filter(({ state }) => state === 'offered').length;
  const ends = [
    holds > 0 && `you cancel the ${holds === 1 ? 'hold' : 'holds'}`,
    offers > 0 && `the ${offers === 1 ? 'offer is' : 'offers are'} closed`,
  ].filter(Boolean);
  if (action === 'sell' && deals.some(({ kind }) => kind === 'rental'))
    return ends.length > 0 ? 'Holds and offers for the days that somebody else gets end.' : '';
  return ends.length > 0 ? `${beginnings[action]} ${ends.join(' and ')}.` : '';
};
