import { toCampusDay } from '#contract/campus.ts';
import type { App } from '#server/app.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import * as repository from './away-repository.ts';

/** Hides the listings of a person whose membership of the campus has ended. Nothing else about them changes. */
export const hideListingsOfFormerMember = (tx: Queryable, userId: string): Promise<void> =>
  repository.hideListings(tx, userId);

/**
 * Shows the hidden listings of a person who is a member again as they were. Returns the day until which the person is away,
 * or null.
 */
export const showListingsOfMember = async (
  { clock, config: { campus } }: App,
  tx: Queryable,
  userId: string,
): Promise<string | null> => {
  await repository.showListings(tx, userId);
  const until = (await repository.findAndLockAwayPerson(tx, userId))?.away_until ?? null;
  return until !== null && until > toCampusDay(campus, clock.now()) ? until : null;
};
