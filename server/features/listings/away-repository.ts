import { formerMemberListingCondition } from '#server/features/listing-visibility/sql.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

/** For how many days away periods are kept: response times do not look back further. */
const keptPeriodDays = 100;

/** Returns until when a person is or was last away, and locks the person until the transaction ends. */
export const findAndLockAwayPerson = async (
  tx: Queryable,
  userId: string,
): Promise<Pick<Tables['users'], 'away_until'> | undefined> => {
  const [row] = await tx<Pick<Tables['users'], 'away_until'>[]>`
    SELECT away_until FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  return row;
};

/** Stores the first day on which a person is back, or null, with the person and with all of their listings. */
export const storeAwayDay = async (tx: Queryable, userId: string, until: string | null): Promise<void> => {
  await tx`UPDATE users SET away_until = ${until} WHERE id = ${userId}`;
  await tx`
    UPDATE listings l SET away_until = ${until}
    WHERE user_id = ${userId} AND away_until IS DISTINCT FROM ${until}::date AND NOT ${formerMemberListingCondition}`;
};

/** Hides all listings of a person from everybody else (docs/decisions/0098). */
export const hideListings = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`UPDATE listings SET away_until = 'infinity' WHERE user_id = ${userId}`;
};

export const showListings = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`
    UPDATE listings l SET away_until = u.away_until FROM users u
    WHERE u.id = ${userId} AND l.user_id = u.id AND ${formerMemberListingCondition}`;
};

/** Stores that a person is away from now, or has been since earlier, until the beginning of a day. Removes old periods. */
export const storeAwayPeriod = async (
  tx: Queryable,
  userId: string,
  { until, now, timezone }: { until: string; now: Date; timezone: string },
): Promise<void> => {
  await tx`
    DELETE FROM away_periods
    WHERE user_id = ${userId} AND ends_at < ${addSeconds(now, -keptPeriodDays * dayInSeconds)}`;
  await tx`
    INSERT INTO away_periods (user_id, began_at, ends_at)
    SELECT ${userId},
      coalesce((SELECT began_at FROM away_periods WHERE user_id = ${userId} AND ends_at > ${now}), ${now}),
      ${until}::date::timestamp AT TIME ZONE ${timezone}
    ON CONFLICT (user_id, began_at) DO UPDATE SET ends_at = excluded.ends_at`;
};

export const endAwayPeriod = async (tx: Queryable, userId: string, now: Date): Promise<void> => {
  await tx`UPDATE away_periods SET ends_at = ${now} WHERE user_id = ${userId} AND ends_at > ${now}`;
};
