import type { Sql } from '#server/platform/postgres/database.ts';
import { identifier, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import type { BenchDatabase } from './bench-database.ts';
import { createConnectionsCpuReader } from './matching/processor-time.ts';
import type { QueryKind } from './query-kind.ts';

/**
 * Timings of one kind of query, in milliseconds. `p50` and `p99` are quantiles of its durations. `limit` is the
 * median duration of the baseline query, with which they are compared. `cpu99` is the quantile of PostgreSQL's processor
 * time, which other work on the machine hardly changes. `total` is the number of matches that the
 * last query returned.
 */
export interface QueryTimings {
  p50: number;
  p99: number;
  cpu99: number;
  limit: number;
  total: number;
}

const turnCount = 4;
/** Maximum number of times that a query is run in one turn. */
const maxQueriesPerTurn = 50;
/**
 * Maximum time for measuring one kind of query, in ms, over all turns together. `baselineTimeBudgetMs` is the
 * same for the baseline's query.
 */
const timeBudgetMs = 3_000;
const baselineTimeBudgetMs = 1_000;

/**
 * Runs a query at least `minRounds` times, then repeats it until `maxQueriesPerTurn` or `timeout`
 * (in ms) is reached. Returns the duration of each run in ms.
 */
const measureDurations = async (
  timeout: number,
  minRounds: number,
  runQuery: (round: number) => Promise<unknown>,
) => {
  const times: number[] = [];
  const begun = performance.now();
  while (
    times.length < minRounds ||
    (times.length < maxQueriesPerTurn && performance.now() - begun < timeout)
  ) {
    const started = performance.now();
    await runQuery(times.length);
    times.push(performance.now() - started);
  }
  return times;
};

/** Returns the `q`-quantile (0 to 1) of durations sorted in ascending order. */
export const quantile = (times: number[], q: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * q))] ?? 0;

/** A kind of query to measure, and the database to run it on. */
export interface MeasuredQuery {
  bench: BenchDatabase;
  kind: QueryKind;
}

/**
 * Measures each query and its baseline in several turns. Every turn runs all queries, so that other
 * load on the machine affects them equally.
 */
export const measureQueriesInTurns = async (subjects: readonly MeasuredQuery[]): Promise<QueryTimings[]> => {
  const gathered = subjects.map((subject) => ({
    ...subject,
    times: [] as number[],
    baseline: [] as number[],
    cpuTimes: [] as number[],
    total: 0,
  }));
  for (let turn = 0; turn < turnCount; turn += 1) {
    for (const one of gathered) {
      const { bench, kind } = one;
      const runQuery = async (round: number) => {
        one.total = (await kind.asks[round % kind.asks.length]?.(bench)) ?? 0;
      };
      const runBaseline = () => bench.sql`${trustedSql(kind.baselineSql)}`;
      if (turn === 0) {
        await measureDurations(0, kind.asks.length, runQuery);
        await runBaseline();
      }
      const readCpuMs = await createConnectionsCpuReader(bench.sql);
      const runMeasured = async (round: number) => {
        const begun = readCpuMs();
        await runQuery(round);
        one.cpuTimes.push(readCpuMs() - begun);
      };
      one.times.push(...(await measureDurations(timeBudgetMs / turnCount, kind.asks.length, runMeasured)));
      one.baseline.push(...(await measureDurations(baselineTimeBudgetMs / turnCount, 1, runBaseline)));
    }
  }
  return gathered.map(({ times, baseline, cpuTimes, total }) => {
    const [sorted, limits, cpu] = [times, baseline, cpuTimes].map((each) =>
      each.toSorted((x, y) => x - y),
    ) as [number[], number[], number[]];
    return {
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      cpu99: quantile(cpu, 0.99),
      limit: quantile(limits, 0.5),
      total,
    };
  });
};

const measuredIndexGroups = [
  { without: 'the index of word endings', indexes: ['listings_word_endings'] },
  { without: 'the index of word boundaries', indexes: ['listings_word_meetings'] },
  {
    without: 'the indexes by price',
    indexes: [
      'listings_by_price',
      'listings_of_category_by_price',
      'listings_by_price_desc',
      'listings_of_category_by_price_desc',
    ],
  },
  {
    without: 'the indexes by condition and location',
    indexes: ['listings_of_category_by_condition', 'listings_of_category_by_location'],
  },
];

class RollbackSignal extends Error {}

/**
 * Measures how much each group of indexes slows down saving a listing: `ratio` is the duration with
 * all indexes, divided by the duration without the group. Rolls back all changes.
 */
export const measureIndexCosts = async (
  sql: Sql,
  copies = 400,
): Promise<{ without: string; ratio: number }[]> => {
  const measureSaving = async (droppedIndexes: string[]): Promise<number> => {
    let elapsedMs = 0;
    await sql
      .begin(async (tx) => {
        for (const index of droppedIndexes) await tx`DROP INDEX ${identifier(index)}`;
        const begun = performance.now();
        for (let copy = 0; copy < copies; copy += 1) {
          await tx`
            INSERT INTO listings (slug, user_id, title, description, price, category, condition, location, status,
              contact_email, created_at, updated_at, published_at, sold_at)
            SELECT 'copy-' || ${copy}::int, user_id, title, description, price, category, condition, location,
              status, contact_email, created_at, updated_at, published_at, sold_at
            FROM listings WHERE slug = ${`listing-${copy + 1}`}`;
        }
        elapsedMs = performance.now() - begun;
        throw new RollbackSignal();
      })
      .catch((error) => {
        if (!(error instanceof RollbackSignal)) throw error;
      });
    return elapsedMs;
  };
  const results = [];
  await measureSaving([]);
  for (const { without, indexes } of measuredIndexGroups) {
    const baseline = Math.min(await measureSaving(indexes), await measureSaving(indexes));
    results.push({ without, ratio: Math.min(await measureSaving([]), await measureSaving([])) / baseline });
  }
  return results;
};
