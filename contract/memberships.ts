import { z } from 'zod';
import { formatReturnDay } from './away.ts';

/** For how many days a membership of the campus ends, with notices, before it has ended. */
export const membershipEndingDays = 30;
/** How many days before a membership counts as unconfirmed its owner is asked to confirm it. */
export const membershipQuestionDays = [30, 7] as const;

const daySchema = z.iso.date();

export const membershipSchema = z.object({
  /** The day from which on the membership counts as unconfirmed, or null if that never happens by itself. */
  due_on: daySchema.nullable(),
  /** The first day without the membership, or null while it does not end. */
  ends_on: daySchema.nullable(),
  has_ended: z.boolean(),
  /** Whether a link that is mailed to the person's campus address confirms the membership. */
  can_confirm: z.boolean(),
  /** Whether the person was asked to confirm the membership, and has not done so yet. */
  is_asked: z.boolean(),
});
export type Membership = z.infer<typeof membershipSchema>;

/** Returns what a person reads whose membership ends or has ended, or undefined while it does not. */
export const describeMembershipEnd = ({
  ends_on: endsOn,
  has_ended: hasEnded,
}: Pick<Membership, 'ends_on' | 'has_ended'>): string | undefined => {
  if (hasEnded) return 'Your campus membership has ended. Your badge is gone and your listings are hidden.';
  if (endsOn === null) return undefined;
  return `Your campus membership ends on ${formatReturnDay(endsOn)}. Then your badge goes and your listings are hidden.`;
};
