import type { Sql } from '#server/platform/database.ts';
import type { Kind } from './kinds.ts';
import type { Bench } from './open-bench.ts';

/** Milliseconds, and the matches of the last wording asked. */
export interface Figures {
  p50: number;
  p99: number;
  limit: number;
  total: number;
}

const mostRounds = 200;
const patienceMs = 3_000;
const limitPatienceMs = 1_000;

/** The times of up to 200 rounds, fewer when they would take longer than the patience; sorted. */
const timesOf = async (patience: number, least: number, ask: (round: number) => Promise<unknown>) => {
  const times: number[] = [];
  const begun = performance.now();
  while (times.length < least || (times.length < mostRounds && performance.now() - begun < patience)) {
    const started = performance.now();
    await ask(times.length);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
};

export const quantile = (times: number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

/** Asks a kind of question over and over, and then for its limit. */
export const measure = async (bench: Bench, { asks, limit }: Kind): Promise<Figures> => {
  let total = 0;
  const ask = async (round: number) => {
    total = (await asks[round % asks.length]?.(bench)) ?? 0;
  };
  await timesOf(0, asks.length, ask);
  const times = await timesOf(patienceMs, asks.length, ask);
  await bench.sql.unsafe(limit, [], { prepare: true });
  const bare = await timesOf(limitPatienceMs, 1, () => bench.sql.unsafe(limit, [], { prepare: true }));
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), limit: quantile(bare, 0.5), total };
};

const groups = [
  { without: 'the index of grams', indexes: ['listings_search_grams'] },
  { without: 'the indexes by price', indexes: ['listings_by_price', 'listings_of_category_by_price'] },
  {
    without: 'the indexes by condition and location',
    indexes: ['listings_of_category_by_condition', 'listings_of_category_by_location'],
  },
];

class RolledBack extends Error {}

/** What saving costs with an index and without it, as a ratio; nothing is kept. */
export const writeCost = async (sql: Sql, copies = 400): Promise<{ without: string; ratio: number }[]> => {
  const save = async (dropped: string[]): Promise<number> => {
    let taken = 0;
    await sql
      .begin(async (tx) => {
        for (const index of dropped) await tx`DROP INDEX ${tx(index)}`;
        const begun = performance.now();
        for (let copy = 0; copy < copies; copy += 1) {
          await tx`
            INSERT INTO listings (slug, user_id, title, description, price, category, condition, location, status,
              contact_email, created_at, updated_at, published_at)
            SELECT 'copy-' || ${copy}::int, user_id, title, description, price, category, condition, location,
              status, contact_email, created_at, updated_at, published_at
            FROM listings WHERE slug = ${`listing-${copy + 1}`}`;
        }
        taken = performance.now() - begun;
        throw new RolledBack();
      })
      .catch((error) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    return taken;
  };
  const results = [];
  await save([]);
  for (const { without, indexes } of groups) {
    const bare = Math.min(await save(indexes), await save(indexes));
    results.push({ without, ratio: Math.min(await save([]), await save([])) / bare });
  }
  return results;
};
