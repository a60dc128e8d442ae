import { addDays, countDaysInclusive } from '#contract/days.ts';
import { membershipEndingDays, membershipQuestionDays } from '#contract/memberships.ts';

/** What decides about the next step of a membership. Days are calendar days on the campus (YYYY-MM-DD). */
export interface MembershipState {
  due_on: string | null;
  questions: number;
  ends_on: string | null;
  notices: number;
  ended_at: Date | null;
}

/** What happens to a membership. */
export type MembershipStep =
  | { step: 'ask'; dueOn: string; questions: number }
  | { step: 'begin_ending' | 'notify'; endsOn: string; notices: number }
  | { step: 'end' };

const [firstQuestionDays, secondQuestionDays] = membershipQuestionDays;
/** Within so many days before the end a person gets the second notice. */
const lastNoticeDays = 7;
/** People whose membership was never asked about are asked no earlier than so many days from now. */
const minDaysBeforeFirstDue = 60;

const laterDay = (one: string, other: string): string => (one > other ? one : other);

/** Returns the day on which a membership counts as unconfirmed that was confirmed on this day. */
export const getDueDay = (confirmedOn: string, membershipDays: number): string | null =>
  membershipDays === 0 ? null : addDays(confirmedOn, membershipDays);

/**
 * Returns the day on which an account counts as unconfirmed that nobody was asked about: a whole number of periods after
 * its creation, so that people are asked all year round, and never soon.
 */
export const scheduleFirstDueDay = (createdOn: string, today: string, membershipDays: number): string => {
  const earliest = addDays(today, minDaysBeforeFirstDue);
  const age = Math.max(0, countDaysInclusive(createdOn, earliest) - 1);
  return addDays(createdOn, Math.max(1, Math.ceil(age / membershipDays)) * membershipDays);
};

export const getEndingDay = (today: string): string => addDays(today, membershipEndingDays);

/**
 * Returns what is due for a membership today. Nobody's membership ends without the questions and notices before: if they
 * are late, the day moves.
 */
export const findMembershipStep = (
  { due_on: dueOn, questions, ends_on: endsOn, notices, ended_at: endedAt }: MembershipState,
  today: string,
): MembershipStep | undefined => {
  if (endedAt) return undefined;
  if (endsOn !== null) {
    if (notices > 0 && today >= endsOn) return { step: 'end' };
    if (notices < 2 && addDays(today, lastNoticeDays) >= endsOn)
      return { step: 'notify', endsOn, notices: 2 };
    return undefined;
  }
  if (dueOn === null) return undefined;
  if (questions === 0 && addDays(today, firstQuestionDays) >= dueOn)
    return { step: 'ask', dueOn: laterDay(dueOn, addDays(today, firstQuestionDays)), questions: 1 };
  if (questions === 1 && addDays(today, secondQuestionDays) >= dueOn)
    return { step: 'ask', dueOn: laterDay(dueOn, addDays(today, secondQuestionDays)), questions: 2 };
  if (questions > 1 && today >= dueOn)
    return { step: 'begin_ending', endsOn: getEndingDay(today), notices: 1 };
  return undefined;
};
