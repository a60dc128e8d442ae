import { membershipQuestionDays } from '#contract/memberships.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export type Membership = Tables['memberships'];
/** How a membership was confirmed. */
export type ConfirmedWith = NonNullable<Membership['confirmed_with']>;

/** Returns a person's membership and locks it until the transaction ends. */
export const findAndLockMembership = async (
  tx: Queryable,
  userId: string,
): Promise<Membership | undefined> => {
  const [row] = await tx<Membership[]>`
    SELECT * FROM private.memberships WHERE user_id = ${userId} FOR UPDATE`;
  return row;
};

/** Stores a confirmation, which ends everything that was begun because there was none. */
export const storeConfirmation = async (
  tx: Queryable,
  change: { userId: string; now: Date; confirmedWith: ConfirmedWith; dueOn: string | null },
): Promise<void> => {
  await tx`
    INSERT INTO private.memberships (user_id, confirmed_at, confirmed_with, due_on)
    VALUES (${change.userId}, ${change.now}, ${change.confirmedWith}, ${change.dueOn})
    ON CONFLICT (user_id) DO UPDATE SET confirmed_at = excluded.confirmed_at, due_on = excluded.due_on,
      confirmed_with = excluded.confirmed_with, questions = 0, ends_on = NULL, notices = 0, ended_at = NULL,
      is_denied = false, had_badge = NULL`;
};

/** Stores when the membership of a person counts as unconfirmed whom nobody was asked about. */
export const scheduleMembership = async (
  tx: Queryable,
  userId: string,
  change: { dueOn: string | null; confirmedWith: ConfirmedWith | null },
): Promise<void> => {
  await tx`
    INSERT INTO private.memberships AS m (user_id, due_on, confirmed_with)
    VALUES (${userId}, ${change.dueOn}, ${change.confirmedWith})
    ON CONFLICT (user_id) DO UPDATE SET due_on = excluded.due_on,
      confirmed_with = coalesce(excluded.confirmed_with, m.confirmed_with)
    WHERE m.questions = 0 AND m.ends_on IS NULL AND m.ended_at IS NULL`;
};

export const storeQuestion = async (
  tx: Queryable,
  userId: string,
  { dueOn, questions }: { dueOn: string; questions: number },
): Promise<void> => {
  await tx`
    UPDATE private.memberships SET due_on = ${dueOn}, questions = ${questions} WHERE user_id = ${userId}`;
};

/** Stores the day on which a membership ends. */
export const storeEnding = async (
  tx: Queryable,
  userId: string,
  { endsOn, notices, isDenied }: { endsOn: string; notices: number; isDenied: boolean },
): Promise<void> => {
  await tx`
    INSERT INTO private.memberships (user_id, ends_on, notices, is_denied)
    VALUES (${userId}, ${endsOn}, ${notices}, ${isDenied})
    ON CONFLICT (user_id) DO UPDATE SET ends_on = excluded.ends_on, notices = excluded.notices,
      is_denied = excluded.is_denied`;
};

export const markDenied = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`UPDATE private.memberships SET is_denied = true WHERE user_id = ${userId}`;
};

/** Stores that a membership has ended, and takes the badge. `updated_at` stays, so that the account returns as it was. */
export const endMembership = async (tx: Queryable, userId: string, now: Date): Promise<void> => {
  await tx`
    UPDATE private.memberships m SET ended_at = ${now}, had_badge = u.usc_verified
    FROM users u WHERE u.id = m.user_id AND m.user_id = ${userId}`;
  await tx`UPDATE users SET usc_verified = false WHERE id = ${userId} AND usc_verified`;
};

/**
 * Stores that a person who was no member before is none, as the sign-on states. With `endedAt`, the person has what a
 * membership gives only once they are a member.
 */
export const insertDeniedMembership = async (
  tx: Queryable,
  userId: string,
  endedAt: Date | null,
): Promise<void> => {
  await tx`
    INSERT INTO private.memberships (user_id, ended_at, is_denied, had_badge)
    VALUES (${userId}, ${endedAt}, true, ${endedAt ? true : null}) ON CONFLICT (user_id) DO NOTHING`;
};

/** Gives a person the badge back that they had when their membership ended. */
export const restoreBadge = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`
    UPDATE users SET usc_verified = true FROM private.credentials c
    WHERE users.id = ${userId} AND c.user_id = users.id AND c.badge_removed_at IS NULL`;
};

/** Records whether the badge returns with a membership that has ended. */
export const setReturningBadge = async (tx: Queryable, userId: string, hasBadge: boolean): Promise<void> => {
  await tx`
    UPDATE private.memberships SET had_badge = ${hasBadge} WHERE user_id = ${userId} AND ended_at IS NOT NULL`;
};

/** Forgets a membership that has not ended. */
export const deleteCurrentMembership = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`DELETE FROM private.memberships WHERE user_id = ${userId} AND ended_at IS NULL`;
};

export const markLinkMailed = async (tx: Queryable, userId: string, now: Date): Promise<void> => {
  await tx`UPDATE private.memberships SET link_mailed_at = ${now} WHERE user_id = ${userId}`;
};

export interface MembershipPerson {
  email: string;
  /** The verified campus address that was added to the account. */
  campus_email: string | null;
  is_suspended: boolean;
  usc_verified: boolean;
  created_at: Date;
}

export const findMembershipPerson = async (
  tx: Queryable,
  userId: string,
): Promise<MembershipPerson | undefined> => {
  const [row] = await tx<MembershipPerson[]>`
    SELECT u.email, a.email AS campus_email, c.suspended_at IS NOT NULL AS is_suspended, u.usc_verified, u.created_at
    FROM users u JOIN private.credentials c ON c.user_id = u.id
      LEFT JOIN private.campus_addresses a ON a.user_id = u.id AND a.verified_at IS NOT NULL
    WHERE u.id = ${userId}`;
  return row;
};

/**
 * Lists members about whom nobody knows when they have to confirm their membership: accounts of earlier versions, and
 * those that were due while nobody was asked.
 */
export const listUnscheduledMembers = async (
  sql: Queryable,
  today: string,
  limit: number,
): Promise<string[]> => {
  const rows = await sql<{ user_id: string }[]>`
    (SELECT c.user_id FROM private.credentials c JOIN users u ON u.id = c.user_id
      WHERE c.confirmed_at IS NOT NULL AND (u.usc_verified OR c.badge_removed_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM private.memberships m WHERE m.user_id = c.user_id) LIMIT ${limit})
    UNION ALL
    (SELECT user_id FROM private.memberships
      WHERE ended_at IS NULL AND ends_on IS NULL AND questions = 0 AND NOT is_denied
        AND (due_on < ${today}::date OR (due_on IS NULL AND confirmed_with IS DISTINCT FROM 'administrator'))
      LIMIT ${limit})
    LIMIT ${limit}`;
  return rows.map(({ user_id: userId }) => userId);
};

const [firstQuestionDays, secondQuestionDays] = membershipQuestionDays;

/**
 * Lists people for whom a step may be due, longest overdue first. `isAsking` is false while nobody is asked to confirm
 * memberships; those that already end go on to do so, and their notices are sent in the daytime.
 */
export const listDueMembers = async (
  sql: Queryable,
  {
    today,
    isAsking,
    isDaytime,
    limit,
  }: { today: string; isAsking: boolean; isDaytime: boolean; limit: number },
): Promise<string[]> => {
  const rows = await sql<{ user_id: string }[]>`
    SELECT m.user_id FROM private.memberships m JOIN private.credentials c ON c.user_id = m.user_id
    WHERE m.ended_at IS NULL AND c.suspended_at IS NULL AND (
      (m.ends_on IS NULL AND ${isAsking} AND m.due_on <= ${today}::date + CASE m.questions
        WHEN 0 THEN ${firstQuestionDays}::int WHEN 1 THEN ${secondQuestionDays}::int ELSE 0 END)
      OR m.ends_on <= ${today}::date + CASE WHEN m.notices < 2 AND ${isDaytime} THEN 7 ELSE 0 END)
    ORDER BY coalesce(m.ends_on, m.due_on), m.user_id LIMIT ${limit}`;
  return rows.map(({ user_id: userId }) => userId);
};

export interface ListedMembership extends Pick<Membership, 'due_on' | 'ends_on' | 'ended_at' | 'is_denied'> {
  id: string;
  email: string;
}

/** Lists memberships that end or have ended, then those that have to be confirmed next. */
export const listMemberships = (sql: Queryable, limit: number): Promise<readonly ListedMembership[]> =>
  sql<ListedMembership[]>`
    SELECT u.id, u.email, m.due_on, m.ends_on, m.ended_at, m.is_denied
    FROM private.memberships m JOIN users u ON u.id = m.user_id
    ORDER BY m.ended_at IS NOT NULL, m.ends_on, m.due_on, u.id LIMIT ${limit}`;
