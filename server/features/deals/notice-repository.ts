import {
  type CampusInstant,
  insertDuePushes,
  toChannelEnabledCondition,
  toQuietHoursCondition,
} from '#server/features/notifications/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { DealRow } from './process.ts';
import { type DealWithContext, earlierRentalColumn, selectDeals } from './repository.ts';

/**
 * A deal, with the last day of an earlier rental of the same item that has not been returned (null when there is
 * none).
 */
export type DealForNotices = DealRow & { earlier_rental_until: string | null };

/**
 * Finds deals with a due notice and locks them until the transaction ends. Skips deals that another transaction has
 * locked, so that it neither waits nor deadlocks. Skips deals with an id in `except`; if `id` is given, considers only
 * that deal.
 */
export const lockDealsWithDueNotices = (
  tx: Queryable,
  {
    now,
    limit,
    id,
    except,
  }: { now: Date; limit: number; id?: string | undefined; except: readonly string[] },
): Promise<readonly DealForNotices[]> =>
  tx<
    DealForNotices[]
  >`SELECT d.*, ${earlierRentalColumn} FROM deals d WHERE d.next_notice_at <= ${now} AND d.id <> ALL (${[...except]}::uuid[])
    ${id === undefined ? fragment`` : fragment`AND d.id = ${id}`} ORDER BY d.next_notice_at, d.seller_id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`;

export const listDealsByIds = (sql: Queryable, ids: readonly string[]): Promise<readonly DealWithContext[]> =>
  selectDeals(sql, fragment`WHERE d.id = ANY (${[...ids]}::uuid[])`);

/** Stores when the next notice of each deal is due. */
export const setNextNoticeTimes = async (
  tx: Queryable,
  deals: readonly { id: string; nextNoticeAt: Date | null }[],
): Promise<void> => {
  const ids = deals.map(({ id }) => id);
  const times = deals.map(({ nextNoticeAt }) => nextNoticeAt?.toISOString() ?? null);
  await tx`
    UPDATE deals SET next_notice_at = due.at FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS due (id, at)
    WHERE deals.id = due.id`;
};

/** Queues push notifications with these notices for the recipients who have turned push notifications on. */
export const queueNoticePushNotifications = async (
  tx: Queryable,
  notices: readonly { dealId: string; userId: string; detail: string }[],
  now: Date,
): Promise<void> => {
  if (notices.length === 0) return;
  const rows = fragment`SELECT user_id, 'deal', deal_id, 'deals', detail
      FROM unnest(${notices.map(({ userId }) => userId)}::uuid[], ${notices.map(({ dealId }) => dealId)}::uuid[],
        ${notices.map(({ detail }) => detail)}::text[]) AS notice (user_id, deal_id, detail)`;
  await tx`${insertDuePushes(rows, now)}`;
};

/** A person who can get notices. */
export interface NoticeRecipient {
  id: string;
  email: string;
  display_name: string;
  /** Whether the person wants emails before deadlines. */
  wants_warnings: boolean;
  /** Whether the person's quiet hours include the current time. */
  is_quiet: boolean;
}

/** Finds people whose accounts exist and are not suspended, by their ids. */
export const findNoticeRecipients = async (
  sql: Queryable,
  ids: readonly string[],
  moment: CampusInstant,
): Promise<Map<string, NoticeRecipient>> => {
  const people = await sql<NoticeRecipient[]>`
    SELECT u.id, u.email, u.display_name, ${toChannelEnabledCondition('deals.email')} AS wants_warnings,
      ${toQuietHoursCondition(moment)} AS is_quiet
    FROM users u JOIN private.credentials c ON c.user_id = u.id AND c.suspended_at IS NULL
      LEFT JOIN notification_settings s ON s.user_id = u.id
    WHERE u.id = ANY (${[...new Set(ids)]}::uuid[])`;
  return new Map(people.map((person) => [person.id, person]));
};

export const findDisplayNames = async (
  sql: Queryable,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const people = await sql<{ id: string; display_name: string }[]>`
    SELECT id, display_name FROM users WHERE id = ANY (${[...new Set(ids)]}::uuid[])`;
  return new Map(people.map(({ id, display_name: name }) => [id, name]));
};

/** Marks the notices that are already due (by the database's clock) as sent. */
export const skipDueNotices = async (sql: Queryable): Promise<void> => {
  await sql`UPDATE deals SET next_notice_at = now() WHERE next_notice_at < now()`;
};
