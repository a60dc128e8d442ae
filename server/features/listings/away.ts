import { toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { type App, react } from '#server/app.ts';
import { invalidateSellerPages } from '#server/pages/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './away-repository.ts';
import { lockListingChanges } from './repository.ts';

const changeAway = async (app: App, userId: string, until: string | null): Promise<void> => {
  const { sql, clock, config } = app;
  const isChanged = await runInTransaction(sql, async (tx) => {
    await lockListingChanges(tx, userId);
    const person = await repository.findAndLockAwayPerson(tx, userId);
    if (!person) throw createProblem('not_authenticated');
    const now = clock.now();
    const isAway = person.away_until !== null && person.away_until > toCampusDay(config.campus, now);
    if (until === (isAway ? person.away_until : null)) return false;
    await repository.storeAwayDay(tx, userId, until);
    if (until === null) await repository.endAwayPeriod(tx, userId, now);
    else await repository.storeAwayPeriod(tx, userId, { until, now, timezone: config.campus.timezone });
    await react(app, tx, 'away_changed', { userId, until });
    return true;
  });
  if (isChanged) await invalidateSellerPages(app, userId);
};

/**
 * Hides a person's listings from all lists until a day (YYYY-MM-DD) on the campus, which ends by itself. Their pages,
 * conversations and deals stay.
 */
export const setAway = async (app: App, userId: string, until: string): Promise<{ away_until: string }> => {
  await changeAway(app, userId, until);
  return { away_until: until };
};

/** Shows the listings of a person who is back earlier. Does nothing when the person is not away. */
export const endAway = async (app: App, userId: string): Promise<{ away_until: null }> => {
  await changeAway(app, userId, null);
  return { away_until: null };
};
