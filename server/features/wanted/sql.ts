import { type Campus, toCampusDay } from '#contract/campus.ts';
import type { App } from '#server/app.ts';
import { toFormerMemberSql } from '#server/features/accounts/sql.ts';
import { toBlockedSql, toMayContactSql } from '#server/features/blocks/sql.ts';
import { toStoredWordsCondition } from '#server/features/listings/sql.ts';
import { type Fragment, fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';

/** The current time and the campus, which determine which wanted posts and listings are shown. */
export interface WantedContext {
  now: Date;
  campus: Campus;
  /** Whether only members of the campus take part. */
  campusOnly: boolean;
}

export const getWantedContext = ({ clock, config: { campus, campusOnly } }: App): WantedContext => ({
  now: clock.now(),
  campus,
  campusOnly,
});

/** Returns the SQL condition that the wanted post `w` is open. */
export const toOpenCondition = ({ now, campus }: WantedContext): Fragment =>
  fragment`(w.closed_at IS NULL AND w.hidden_at IS NULL AND w.until >= ${toCampusDay(campus, now)}::date)`;

/** Returns the SQL condition that the membership of the author of the wanted post `w` has not ended, if that matters. */
export const toMemberCondition = ({ campusOnly }: WantedContext): Fragment =>
  campusOnly ? fragment`NOT ${toFormerMemberSql(fragment`w.user_id`)}` : fragment`true`;

/**
 * Returns the SQL condition that everybody sees the wanted post `w`: it is open, and its author may take part and is
 * not away.
 */
export const toShownCondition = (context: WantedContext): Fragment => {
  const today = toCampusDay(context.campus, context.now);
  return fragment`(${toOpenCondition(context)}
    AND NOT EXISTS (SELECT FROM users a WHERE a.id = w.user_id AND a.away_until > ${today}::date)
    AND NOT EXISTS (SELECT FROM private.credentials c WHERE c.user_id = w.user_id AND c.suspended_at IS NOT NULL)
    AND ${toMemberCondition(context)})`;
};

/**
 * Returns the SQL condition that the author of the wanted post `w` looks for the listing `l`, with the rules of saved
 * searches, and that its seller may write to them.
 */
export const toMatchCondition = (context: WantedContext): Fragment => {
  const { now, campus } = context;
  const found = toStoredWordsCondition(
    {
      category: fragment`w.category`,
      maxPrice: fragment`w.max_price`,
      words: fragment`w.words`,
      isbns: fragment`w.isbns`,
    },
    { today: toCampusDay(campus, now), mascot: campus.mascot },
  );
  return fragment`(${toShownCondition(context)} AND w.user_id <> l.user_id AND ${found}
    AND ${trustedSql(toMayContactSql('w.user_id', 'l.user_id'))})`;
};

/** Returns the SQL condition that the viewer has not blocked the author of the wanted post `w`. */
export const notBlockedCondition = trustedSql(`NOT ${toBlockedSql('viewer.id', 'w.user_id')}`);
