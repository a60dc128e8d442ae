import { addDays } from '#contract/days.ts';
import { openDealStates } from '#contract/deal-states.ts';
import { soldListingPageDays } from '#contract/selling.ts';
import {
  type Fragment,
  fragment,
  quoteLiteral,
  quoteLiterals,
} from '#server/platform/postgres/sql-fragments.ts';

// Which listings are in lists, decided by the date when they are read (docs/decisions/0086). In this file, `today` is the
// current date on the campus (YYYY-MM-DD). The conditions are about a listing `l`.

export const publishedCondition = fragment`l.status = 'published'`;

/** Returns the SQL condition that the game of a listing has passed. */
export const toPassedCondition = (today: string): Fragment =>
  fragment`coalesce(l.category = 'game-day' AND l.game_date < ${today}::date, false)`;

/**
 * SQL condition that the seller's membership of the campus has ended, so that nobody else sees the listing
 * (docs/decisions/0098).
 */
export const formerMemberListingCondition = fragment`coalesce(l.away_until = 'infinity', false)`;

/** Returns the SQL condition that the seller of a listing is away. */
export const toAwayCondition = (today: string): Fragment =>
  fragment`coalesce(l.away_until > ${today}::date AND l.away_until < 'infinity', false)`;

/**
 * Returns the SQL condition for listings that are in lists: they are published, their games have not passed, and their
 * sellers are not away.
 */
export const toListedCondition = (today: string): Fragment => fragment`${publishedCondition}
  AND (l.game_date IS NULL OR l.game_date >= ${today}::date OR l.category <> 'game-day')
  AND (l.away_until IS NULL OR l.away_until <= ${today}::date)`;

/**
 * Returns the same condition without columns that most indexes lack, so that PostgreSQL can count listings from an index
 * alone. A job soon withdraws listings whose games have passed, so few listings are excluded here by their ids. PostgreSQL
 * makes NOT EXISTS a join, which takes time for every listing; with NOT IN it looks ids up in a hash table, which is mostly
 * empty, provided that the date is no parameter, so that it knows how small the table is.
 */
export const toIndexedListedCondition = (today: string): Fragment => {
  const day = fragment`${quoteLiteral(today)}::date`;
  return fragment`${publishedCondition} AND l.id NOT IN (
    SELECT id FROM listings WHERE status = 'published' AND category = 'game-day' AND game_date < ${day}
    UNION ALL SELECT id FROM listings WHERE status = 'published' AND away_until > ${day})`;
};

/**
 * SQL condition that a listing ended or was paused, as a draft that keeps its page. It has no page while moderators request
 * changes.
 */
export const withdrawnCondition = fragment`(l.status = 'draft' AND l.requested_changes IS NULL
  AND (l.ended_at IS NOT NULL OR l.paused_at IS NOT NULL))`;

const pausedCondition = fragment`(l.status = 'draft' AND l.paused_at IS NOT NULL)`;

/** Returns the SQL condition that a listing is paused. Its game can still pass, which ends it. */
export const toPausedCondition = (today: string): Fragment =>
  fragment`(${pausedCondition} AND NOT ${toPassedCondition(today)})`;

/** The instants and the day from which on the pages of sold listings and of passed games still exist. */
export interface PageTimes {
  soldAfter: Date;
  today: string;
}

/**
 * Returns the SQL condition for listings with a public page: published ones, those sold after a time, those whose games
 * have passed in the days before, and paused ones.
 */
export const toPublicPageCondition = ({ soldAfter, today }: PageTimes): Fragment => fragment`(
  l.hidden_at IS NULL AND l.deleted_at IS NULL AND (
    (l.status = 'sold' AND l.sold_at > ${soldAfter})
    OR ((${publishedCondition} OR ${withdrawnCondition}) AND NOT ${formerMemberListingCondition}
      AND (l.game_date IS NULL OR l.game_date >= ${addDays(today, -soldListingPageDays)}::date OR l.category <> 'game-day'))))`;

/** Returns the SQL expression for why a listing with a public page cannot be had now, or null when it can. */
export const toUnavailableSql = (today: string): Fragment => fragment`CASE
  WHEN l.status = 'sold' THEN NULL
  WHEN l.status = 'draft' AND l.ended_at IS NOT NULL
    OR (${publishedCondition} OR ${pausedCondition}) AND ${toPassedCondition(today)} THEN 'passed'
  WHEN ${pausedCondition} THEN 'unconfirmed'
  WHEN ${toAwayCondition(today)} THEN 'away' END`;

/** Returns the SQL expression for when the day of a listing's game ends on the campus. */
export const toGameEndSql = (timezone: string): Fragment =>
  fragment`((l.game_date + 1)::timestamp AT TIME ZONE ${timezone}::text)`;

/**
 * Returns the SQL condition that a listing ended because its game has passed, also while no job has noticed it. A hold
 * goes on, so its listing ends when the hold does.
 */
export const toEndedCondition = (today: string): Fragment => fragment`(
  (l.status = 'draft' AND l.ended_at IS NOT NULL)
  OR ((${publishedCondition} OR ${pausedCondition}) AND ${toPassedCondition(today)} AND NOT l.is_on_hold))`;

/** SQL expression for when the seller last wrote about the listing, or made a step in a deal about it. */
export const sellerActedAtSql: Fragment = fragment`(
  SELECT max(m.created_at) FROM conversations c JOIN messages m ON m.conversation_id = c.id AND m.seq = c.seller_acted_seq
  WHERE c.listing_id = l.id)`;

/** SQL condition that there is an open deal about the listing. */
export const hasOpenDealCondition: Fragment = fragment`EXISTS (
  SELECT FROM deals d WHERE d.listing_id = l.id AND d.state IN ${quoteLiterals(openDealStates)})`;

/**
 * Returns the SQL condition that the owner of the listing is asked whether it is still available: it is in lists, nothing
 * has answered the question yet, and there is no open deal.
 */
export const toQuestionOpenCondition = (today: string): Fragment => fragment`(l.asked_at IS NOT NULL
  AND ${toListedCondition(today)} AND l.asked_at > greatest(l.updated_at, l.confirmed_at, ${sellerActedAtSql})
  AND NOT ${hasOpenDealCondition})`;
