import type { Deal } from '#contract/deals.ts';
import { reviewPeriodSeconds } from '#contract/reviews.ts';

const canAnswerNoShow = ({ transitions }: Deal): boolean =>
  transitions.includes('contest') || transitions.includes('report_no_show');

const isReviewPeriodOpen = ({ state, updated_at: completedAt }: Deal, now: Date): boolean =>
  state === 'completed' && now.getTime() < Date.parse(completedAt) + reviewPeriodSeconds * 1000;

/**
 * Returns the deals of a conversation, newest first, that came before the newest one and in which the
 * person can still do something: answer the report of a no-show, or review a completed deal.
 */
export const listEarlierDeals = ([, ...earlier]: readonly Deal[], now: Date): Deal[] =>
  earlier.filter((deal) => canAnswerNoShow(deal) || isReviewPeriodOpen(deal, now));
