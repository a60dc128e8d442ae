import type { Sql } from '#server/platform/postgres/database.ts';
import type { Kind } from './kinds.ts';
import type { Bench } from './open-bench.ts';

/** Times in milliseconds, and the total of the last query. */
export interface Figures {
  p50: number;
  p99: number;
  limit: number;
  total: number;
}

const turns = 4;
/** Per turn. */
const mostRounds = 50;
const timeoutMs = 3_000;
const limitTimeoutMs = 1_000;

/** Returns the times of up to `mostRounds` rounds, and at least `least`, until the timeout in milliseconds. */
const timesOf = async (timeout: number, least: number, ask: (round: number) => Promise<unknown>) => {
  const times: number[] = [];
  const begun = performance.now();
  while (times.length < least || (times.length < mostRounds && performance.now() - begun < timeout)) {
    const started = performance.now();
    await ask(times.length);
    times.push(performance.now() - started);
  }
  return times;
};

export const quantile = (times: number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

/** A kind of query on one database. */
export interface Subject {
  bench: Bench;
  kind: Kind;
}

/**
 * Measures each subject and its baseline repeatedly. They take turns, so that other load on the machine affects all of
 * them equally.
 */
export const measureInTurns = async (subjects: readonly Subject[]): Promise<Figures[]> => {
  const gathered = subjects.map((subject) => ({
    ...subject,
    times: [] as number[],
    baseline: [] as number[],
    total: 0,
  }));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const one of gathered) {
      const { bench, kind } = one;
      const ask = async (round: number) => {
        one.total = (await kind.asks[round % kind.asks.length]?.(bench)) ?? 0;
      };
      const runBaseline = () => bench.sql.unsafe(kind.limit, [], { prepare: true });
      if (turn === 0) {
        await timesOf(0, kind.asks.length, ask);
        await runBaseline();
      }
      one.times.push(...(await timesOf(timeoutMs / turns, kind.asks.length, ask)));
      one.baseline.push(...(await timesOf(limitTimeoutMs / turns, 1, runBaseline)));
    }
  }
  return gathered.map(({ times, baseline, total }) => {
    const [sorted, limits] = [times, baseline].map((each) => each.toSorted((x, y) => x - y)) as [
      number[],
      number[],
    ];
    return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), limit: quantile(limits, 0.5), total };
  });
};

const groups = [
  { without: 'the index of word endings', indexes: ['listings_word_endings'] },
  { without: 'the index of word boundaries', indexes: ['listings_word_meetings'] },
  { without: 'the indexes by price', indexes: ['listings_by_price', 'listings_of_category_by_price'] },
  {
    without: 'the indexes by condition and location',
    indexes: ['listings_of_category_by_condition', 'listings_of_category_by_location'],
  },
];

class RolledBack extends Error {}

/** Returns the ratio of the cost of saving with an index to that without it; rolls back all changes. */
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
    const baseline = Math.min(await save(indexes), await save(indexes));
    results.push({ without, ratio: Math.min(await save([]), await save([])) / baseline });
  }
  return results;
};
