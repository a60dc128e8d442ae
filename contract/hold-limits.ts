import type { Deal } from './deals.ts';

/**
 * Why a party of a held deal can do less than usual: `in_review` when the deal can only end, because its listing
 * waits for a moderator, and `no_suggestion` when the handover can be confirmed, but no time can be suggested,
 * because a rental has begun.
 */
export type HoldLimit = 'in_review' | 'no_suggestion';

/** The advice to the parties of a hold whose listing waits for a moderator. */
export const inReviewAdvice = 'The listing is being checked. Until that is done, the deal can only end.';

/** Returns why a party of a held deal who can make these transitions can do less than usual, or undefined. */
export const findHoldLimit = (transitions: Deal['transitions']): HoldLimit | undefined => {
  if (transitions.includes('received') || transitions.includes('handed_over'))
    return transitions.includes('propose_handover') ? undefined : 'no_suggestion';
  return transitions.includes('cancel') ? 'in_review' : undefined;
};

/** Returns the advice that fits what a party of a held deal who can make these transitions can do. */
export const chooseHoldAdvice = (
  transitions: Deal['transitions'],
  { usual, withoutSuggestion }: { usual: string; withoutSuggestion: string },
): string => {
  const limit = findHoldLimit(transitions);
  if (limit === 'in_review') return inReviewAdvice;
  return limit ? withoutSuggestion : usual;
};
