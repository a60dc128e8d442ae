import type { PublicProfile, TypicalReplyTime } from '#contract/profiles.ts';
import { addSeconds, dayInSeconds, hourInSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

/**
 * The response time is based on the person's most recently active conversations: those within this period, up to this
 * number.
 */
const responsePeriodSeconds = 90 * dayInSeconds;
const maxCountedConversations = 100;
/** The public profile shows no response time for a person with fewer conversations than this. */
const minConversations = 5;

/**
 * The public profile shows the ratio of kept deals only if there were at least this many deals in
 * the last 12 months.
 */
const minDeals = 5;
const keptDealsPeriodSeconds = 365 * dayInSeconds;

interface PublicProfileRow extends Omit<PublicProfile, 'member_since' | 'response_time' | 'deals_kept'> {
  created_at: Date;
  /** Number of conversations on which the response time is based. */
  conversations: number;
  /**
   * Median of the seconds from the first message to the first reply. It is infinite when most first messages were not
   * answered.
   */
  median_seconds: number | null;
  /** Numbers of deals that the person completed (`kept`) and failed to complete (`broken`) in the last 12 months. */
  kept: number;
  broken: number;
}

const toDealsKept = ({ kept, broken }: PublicProfileRow): number | null =>
  kept + broken < minDeals ? null : Math.round((100 * kept) / (kept + broken));

const toResponseTime = ({ conversations, median_seconds }: PublicProfileRow): TypicalReplyTime | null => {
  if (conversations < minConversations || median_seconds === null) return null;
  if (median_seconds <= hourInSeconds) return 'hour';
  return median_seconds <= dayInSeconds ? 'day' : null;
};

/**
 * Returns the public profile of a person whose account is confirmed and not suspended. A first message without a
 * reply counts toward the response time once it is a day old. It does not count if the person was away before the reply,
 * within that day.
 */
export const findPublicProfile = async (
  sql: Queryable,
  id: string,
  now: Date,
): Promise<PublicProfile | undefined> => {
  const since = addSeconds(now, -responsePeriodSeconds);
  const year = addSeconds(now, -keptDealsPeriodSeconds);
  const [row] = await sql<PublicProfileRow[]>`
    SELECT u.id, u.display_name AS name, u.avatar_url, u.usc_verified, CASE WHEN u.usc_verified THEN u.role END AS role,
      CASE WHEN u.is_bio_public THEN u.bio END AS bio, u.created_at, u.rating, u.review_count, replies.*, trades.*
    FROM users u
    JOIN private.credentials a ON a.user_id = u.id AND a.confirmed_at IS NOT NULL AND a.suspended_at IS NULL
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS conversations,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY coalesce(extract(epoch FROM replied_at - asked_at), 'infinity'))::float8
          AS median_seconds
      FROM (
        SELECT first.created_at AS asked_at, (
          SELECT reply.created_at FROM messages reply
          WHERE reply.conversation_id = c.id AND reply.sender_id = u.id AND reply.kind = 'text' ORDER BY reply.seq LIMIT 1
        ) AS replied_at
        FROM conversations c JOIN messages first ON first.conversation_id = c.id AND first.seq = 1
        WHERE c.seller_id = u.id AND c.updated_at > ${since} AND first.created_at > ${since}
          AND first.sender_id IS DISTINCT FROM u.id
        ORDER BY c.updated_at DESC LIMIT ${maxCountedConversations}
      ) AS asked
      WHERE (replied_at IS NOT NULL OR asked_at < ${addSeconds(now, -dayInSeconds)})
        AND NOT EXISTS (
          SELECT FROM away_periods away
          WHERE away.user_id = u.id AND away.ends_at > asked_at
            AND away.began_at < least(replied_at, asked_at + ${dayInSeconds}::int * interval '1 second'))
    ) AS replies
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'completed') AS completed_trades,
        count(*) FILTER (WHERE state = 'completed' AND completed_at > ${year}) AS kept,
        count(*) FILTER (WHERE changed_at > ${year} AND (
          state = 'cancelled' AND is_late AND cancelled_by = party
          OR state = 'no_show' AND NOT is_contested AND reported = party)) AS broken
      FROM (
        SELECT 'buyer' AS party, d.* FROM deals d WHERE d.buyer_id = u.id
        UNION ALL SELECT 'seller', d.* FROM deals d WHERE d.seller_id = u.id
      ) AS own
    ) AS trades
    WHERE u.id = ${id}`;
  if (!row) return undefined;
  const { name, avatar_url, usc_verified, role, bio, created_at, rating, review_count, completed_trades } =
    row;
  return {
    id: row.id,
    name,
    avatar_url,
    usc_verified,
    role,
    bio,
    member_since: created_at.toISOString(),
    response_time: toResponseTime(row),
    rating,
    review_count,
    completed_trades,
    deals_kept: toDealsKept(row),
  };
};

/** Returns whether a person's account is confirmed and not suspended. */
export const hasPublicProfile = async (sql: Queryable, id: string): Promise<boolean> => {
  const [row] = await sql`
    SELECT 1 FROM private.credentials WHERE user_id = ${id} AND confirmed_at IS NOT NULL AND suspended_at IS NULL`;
  return row !== undefined;
};
