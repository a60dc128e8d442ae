import type { SavedSearchQuery } from '#contract/listing-queries.ts';
import type { AvailabilityQuestion, NotificationKind } from '#contract/notifications.ts';
import {
  toListedCondition,
  toPausedCondition,
  toQuestionOpenCondition,
} from '#server/features/listing-visibility/sql.ts';
import { type ListPosition, toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';
import type { NotificationEventName, NotificationJob } from './events.ts';
import { insertDuePushes } from './sql.ts';

/**
 * Stores an event for each of these people who still has an account. If there is an unread
 * notification of the same event and subject, increments its count instead, unless the same job has
 * done so before. With `lastBefore`, drops the event for people who had the same event and subject
 * after that time.
 */
export const storeNotifications = async (
  sql: Queryable,
  {
    id,
    event,
    kind,
    items,
    now,
    emailDueAt,
    lastBefore,
  }: NotificationJob & {
    kind: NotificationKind;
    now: Date;
    emailDueAt: Date | null;
    lastBefore: Date | null;
  },
): Promise<void> => {
  await sql`
    WITH stored AS (
    INSERT INTO notifications AS n (user_id, kind, event, subject_id, facts, count, job_id, created_at, email_due_at)
    SELECT u.id, ${kind}, ${event}, i.subject_id, i.facts, i.count, ${id}, ${now}, ${emailDueAt}
    FROM jsonb_to_recordset(${JSON.stringify(items)}::text::jsonb)
      AS i (user_id uuid, subject_id uuid, facts jsonb, count int)
    JOIN users u ON u.id = i.user_id
    WHERE NOT EXISTS (
      SELECT FROM notifications earlier
      WHERE earlier.user_id = u.id AND earlier.event = ${event} AND earlier.subject_id = i.subject_id
        AND earlier.created_at > ${lastBefore}::timestamptz)
    ORDER BY u.id, i.subject_id FOR KEY SHARE OF u
    ON CONFLICT (user_id, event, subject_id) WHERE read_at IS NULL DO UPDATE SET
      count = n.count + excluded.count, facts = excluded.facts, job_id = excluded.job_id,
      created_at = excluded.created_at, email_due_at = coalesce(n.email_due_at, excluded.email_due_at)
    WHERE n.job_id <> excluded.job_id AND coalesce(n.created_at <= ${lastBefore}::timestamptz, true)
    RETURNING user_id, id
    )
    ${insertDuePushes(fragment`SELECT user_id, 'notification', id, ${kind}::text, '' FROM stored`, now)}`;
};

/** A notification with the data that is read from the rows it refers to. */
export interface NotificationRow
  extends Pick<Tables['notifications'], 'id' | 'subject_id' | 'count' | 'created_at' | 'read_at'> {
  kind: NotificationKind;
  event: NotificationEventName;
  facts: Record<string, unknown>;
  /** The title and path of the listing, if the person may see it. */
  title: string | null;
  slug: string | null;
  category: string | null;
  listing_status: 'draft' | 'published' | 'sold' | null;
  /** Whether the listing is in lists. */
  is_listed: boolean;
  price: number | null;
  is_on_hold: boolean | null;
  /** Why a moderator took down the person's listing. */
  hidden_reason: string | null;
  /** What a moderator asked the person to change in their listing. */
  requested_changes: string | null;
  /** The saved search of the person, unless it was deleted. */
  search_name: string | null;
  search_query: SavedSearchQuery | null;
  /** Titles of the matching listings that are public. */
  matched_titles: string[] | null;
  /** The listings that the person was asked about and has not deleted. */
  questions: (AvailabilityQuestion & { price: number })[] | null;
  other_name: string | null;
  /** Creation time with microseconds, for the pagination cursor. */
  position: string;
}

/** A paused listing keeps the time of the question that its owner did not answer. */
const toQuestionsSql = (today: string): Fragment => fragment`(
  SELECT json_agg(json_build_object('listing_id', l.id, 'title', l.title, 'price', l.price,
    'cover', CASE WHEN cover.url IS NOT NULL THEN json_build_object(
      'url', cover.url, 'width', cover.width, 'height', cover.height, 'thumbhash', cover.thumbhash) END,
    'state', CASE WHEN l.asked_at IS DISTINCT FROM (n.facts ->> 'asked_at')::timestamptz THEN 'answered'
      WHEN ${toQuestionOpenCondition(today)} THEN 'asked'
      WHEN ${toPausedCondition(today)} AND l.hidden_at IS NULL THEN 'paused' ELSE 'answered' END)
    ORDER BY asked.place)
  FROM jsonb_array_elements_text(n.facts -> 'listing_ids') WITH ORDINALITY AS asked (id, place)
  JOIN listings l ON l.id = asked.id::uuid AND l.user_id = n.user_id AND l.deleted_at IS NULL
  LEFT JOIN private.objects cover ON cover.url = l.photos[1])`;

/**
 * Returns SQL that selects notifications with the data for their texts; `today` is the current date on the campus
 * (YYYY-MM-DD), and `rest` contains the conditions and the order.
 */
const selectNotifications = (today: string, rest: Fragment): Fragment => fragment`
  SELECT n.id, n.kind, n.event, n.subject_id, n.facts, n.count, n.created_at, n.read_at,
    coalesce(l.title, d.title) AS title, l.slug, l.category, l.status AS listing_status,
    coalesce(${toListedCondition(today)}, false) AS is_listed, l.price,
    l.is_on_hold, l.hidden_reason,
    CASE WHEN l.user_id = n.user_id THEN l.requested_changes END AS requested_changes, o.display_name AS other_name,
    q.name AS search_name, q.query AS search_query,
    CASE WHEN n.kind = 'saved_searches' THEN (
      SELECT array_agg(l.title ORDER BY named.place)
      FROM jsonb_array_elements_text(n.facts -> 'listing_ids') WITH ORDINALITY AS named (id, place)
      JOIN listings l ON l.id = named.id::uuid AND ${toListedCondition(today)}
    ) END AS matched_titles,
    CASE WHEN n.kind = 'availability' THEN ${toQuestionsSql(today)} END AS questions,
    ${toCursorTimeSql(fragment`n.created_at`)} AS position
  FROM notifications n
  LEFT JOIN listings l ON n.kind IN ('saved_listings', 'moderation') AND l.id = n.subject_id AND l.deleted_at IS NULL
    AND (l.user_id = n.user_id OR (l.hidden_at IS NULL AND l.status IN ('published', 'sold')))
  LEFT JOIN saved_searches q ON n.kind = 'saved_searches' AND q.id = n.subject_id AND q.user_id = n.user_id
    AND q.deleted_at IS NULL
  LEFT JOIN deals d ON n.kind IN ('reviews', 'moderation') AND d.id = n.subject_id AND n.user_id IN (d.buyer_id, d.seller_id)
  LEFT JOIN users o ON o.id = CASE WHEN d.buyer_id = n.user_id THEN d.seller_id ELSE d.buyer_id END
  ${rest}`;

/** Lists a person's notifications of these kinds, latest first. */
export const listNotifications = (
  sql: Queryable,
  {
    userId,
    kinds,
    after,
    limit,
    today,
  }: {
    userId: string;
    today: string;
    kinds: readonly NotificationKind[];
    after: ListPosition | undefined;
    limit: number;
  },
): Promise<readonly NotificationRow[]> =>
  sql<NotificationRow[]>`${selectNotifications(
    today,
    fragment`
      WHERE n.user_id = ${userId} AND n.kind = ANY (${kinds})
        ${after ? fragment`AND (n.created_at, n.id) < (${after.time}::text::timestamptz, ${after.id}::uuid)` : fragment``}
      ORDER BY n.created_at DESC, n.id DESC LIMIT ${limit}`,
  )}`;

/** A person's notifications with these ids. `today` is the current date on the campus (YYYY-MM-DD). */
interface PersonNotifications {
  userId: string;
  ids: readonly string[];
  today: string;
}

const listNotificationsWithIds = (
  sql: Queryable,
  { userId, ids, today, condition }: PersonNotifications & { condition: Fragment },
): Promise<readonly NotificationRow[]> =>
  sql<NotificationRow[]>`${selectNotifications(
    today,
    fragment`
      WHERE n.user_id = ${userId} AND n.id = ANY (${ids}::uuid[]) AND ${condition}
      ORDER BY n.created_at DESC, n.id DESC`,
  )}`;

/** Lists the person's notifications with these ids that are still unread, latest first. */
export const listUnreadNotifications = (
  sql: Queryable,
  wanted: PersonNotifications,
): Promise<readonly NotificationRow[]> =>
  listNotificationsWithIds(sql, { ...wanted, condition: fragment`n.read_at IS NULL` });

/**
 * Lists those of the person's notifications that an email about them contains, latest first. Security events are in it
 * even if they were read, because an intruder could have read them.
 */
export const listNotificationsForEmail = (
  sql: Queryable,
  wanted: PersonNotifications,
): Promise<readonly NotificationRow[]> =>
  listNotificationsWithIds(sql, {
    ...wanted,
    condition: fragment`(n.read_at IS NULL OR n.kind = 'security')`,
  });

export const countUnreadNotifications = async (
  sql: Queryable,
  userId: string,
  kinds: readonly NotificationKind[],
): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM notifications
    WHERE user_id = ${userId} AND read_at IS NULL AND kind = ANY (${kinds as NotificationKind[]})`;
  return row?.count ?? 0;
};

/**
 * Marks a person's unread notifications of this kind and subject as read, and cancels pending emails about them. Returns
 * whether there were any. Must not be used for security events, which an intruder could suppress otherwise.
 */
export const markSubjectRead = async (
  tx: Queryable,
  {
    userId,
    kind,
    subjectId,
    now,
  }: { userId: string; kind: Exclude<NotificationKind, 'security'>; subjectId: string; now: Date },
): Promise<boolean> => {
  const rows = await tx`
    UPDATE notifications SET read_at = ${now}, email_due_at = NULL
    WHERE user_id = ${userId} AND kind = ${kind} AND subject_id = ${subjectId} AND read_at IS NULL
    RETURNING id`;
  return rows.length > 0;
};

/** Marks a person's unread notifications about these events as read. */
export const markEventsRead = async (
  tx: Queryable,
  userId: string,
  events: readonly NotificationEventName[],
  now: Date,
): Promise<void> => {
  await tx`
    UPDATE notifications SET read_at = ${now}
    WHERE user_id = ${userId} AND event = ANY (${[...events]}::text[]) AND read_at IS NULL`;
};

/**
 * Marks a person's unread notifications of these kinds as read. If `ids` is given, marks only the
 * notifications with these ids. Cancels pending emails about the marked notifications, except about security events,
 * which an intruder could suppress otherwise.
 */
export const markNotificationsRead = async (
  sql: Queryable,
  {
    userId,
    ids,
    kinds,
    now,
  }: { userId: string; ids: readonly string[] | undefined; kinds: readonly NotificationKind[]; now: Date },
): Promise<void> => {
  await sql`UPDATE notifications SET read_at = ${now}, email_due_at = CASE WHEN kind = 'security' THEN email_due_at END
    WHERE user_id = ${userId} AND read_at IS NULL AND kind = ANY (${kinds}) ${ids ? fragment`AND id = ANY (${ids}::uuid[])` : fragment``}`;
};

/** Marks those of a person's questions about availability as read in which no listing waits for an answer any more. */
export const markAnsweredQuestionsRead = async (
  tx: Queryable,
  userId: string,
  { now, today }: { now: Date; today: string },
): Promise<void> => {
  await tx`
    UPDATE notifications n SET read_at = ${now}, email_due_at = NULL
    WHERE user_id = ${userId} AND event = 'availability_asked' AND read_at IS NULL AND NOT EXISTS (
      SELECT FROM listings l
      WHERE l.user_id = n.user_id AND n.facts -> 'listing_ids' ? l.id::text AND ${toQuestionOpenCondition(today)})`;
};
