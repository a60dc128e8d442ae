import { toCampusDay } from '#contract/campus.ts';
import { type Game, maxGames } from '#contract/schedule.ts';
import type { App } from '#server/app.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { toInsertedRows } from '#server/platform/postgres/sql-fragments.ts';

/** Replaces the schedule of the campus. */
export const replaceSchedule = ({ sql }: App, games: readonly Game[]): Promise<void> =>
  runInTransaction(sql, async (tx) => {
    await tx`LOCK TABLE games IN SHARE ROW EXCLUSIVE MODE`;
    await tx`DELETE FROM games`;
    if (games.length > 0) await tx`INSERT INTO games ${toInsertedRows(games, ['day', 'name'])}`;
  });

/** Lists the games and events from today on, the next one first. */
export const listComingGames = async ({
  sql,
  clock,
  config: { campus },
}: App): Promise<{ items: Game[] }> => ({
  items: await sql<Game[]>`
    SELECT day, name FROM games WHERE day >= ${toCampusDay(campus, clock.now())} ORDER BY day, name LIMIT ${maxGames}`,
});
