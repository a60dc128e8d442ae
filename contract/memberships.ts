import { formatReturnDay } from './away.ts';
import type { CampusLocale } from './campus.ts';
import type { Membership } from './membership-schema.ts';

/** For how many days a membership of the campus ends, with notices, before it has ended. */
export const membershipEndingDays = 30;
/** How many days before a membership counts as unconfirmed its owner is asked to confirm it. */
export const membershipQuestionDays = [30, 7] as const;

/** Returns what a person reads whose membership ends or has ended, or undefined while it does not. */
export const describeMembershipEnd = (
  { ends_on: endsOn, has_ended: hasEnded }: Pick<Membership, 'ends_on' | 'has_ended'>,
  campus: CampusLocale,
): string | undefined => {
  if (hasEnded) return 'Your campus membership has ended. Your badge is gone and your listings are hidden.';
  if (endsOn === null) return undefined;
  return `Your campus membership ends on ${formatReturnDay(endsOn, campus)}. Then your badge goes and your listings are hidden.`;
};
