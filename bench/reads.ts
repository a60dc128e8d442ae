/**
 * `npm run bench:reads`: how fast the read calls of screens are, compared with a hand-written server that reads the same
 * rows with the leanest SQL, without counting. Both run in their own processes; this process creates the load.
 */
import { availableParallelism } from 'node:os';
import { categories } from '#contract/categories.ts';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { quantile } from './measure.ts';
import { addReader, signIn } from './people.ts';
import { race, raceHead, raceLine } from './race.ts';
import { record } from './results.ts';

const goal = 0.9;
const listings = 100_000;
const differentListings = 1000;
const talks = 50;
const manyTalks = 5_000;
const inboxGoal = 1.2;
const reader = 'reader@usc.edu';
const busyReader = 'busy-reader@usc.edu';
const inbox = '/rest/v1/conversations';
/** Requests of each inbox, in turn. */
const inboxRounds = 300;

const millisecondsOf = async (url: string, headers: Record<string, string>): Promise<number> => {
  const begun = performance.now();
  await (await fetch(url, { headers })).text();
  return performance.now() - begun;
};

const inTurn = (paths: readonly string[]) => {
  let turn = 0;
  return () => paths[turn++ % paths.length] ?? '';
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const environment = await openBenchEnvironment(async (sql) => {
  await generateListings(sql, listings);
  const userId = await addReader(sql, reader, talks);
  await addReader(sql, busyReader, manyTalks);
  const subjects = await sql<{ slug: string }[]>`
    SELECT slug FROM listings WHERE status = 'published' AND photos <> '{}' LIMIT ${differentListings}`;
  await sql`VACUUM ANALYZE`;
  return { slugs: subjects.map(({ slug }) => slug), userId };
});
try {
  const { slugs, userId } = environment.seeded;
  const quad = await environment.spawnQuad();
  const baseline = await environment.spawnBaseline('bench/baseline-reads.ts', [
    environment.databaseUrl,
    userId,
  ]);

  const headers = { authorization: `Bearer ${await signIn(quad.origin, reader)}` };
  const paths = {
    latest: '/rest/v1/listings?limit=8',
    category: '/rest/v1/listings?category=furniture',
    detail: `/rest/v1/listings/${slugs[0]}`,
    // Identical requests share a statement (docs/decisions/0027); these differ from one to the next.
    details: inTurn(slugs.map((slug) => `/rest/v1/listings/${slug}`)),
    categories: inTurn(categories.map((category) => `/rest/v1/listings?category=${category}`)),
    inbox,
  };
  say(`${availableParallelism()} cores, 32 connections, ${listings} listings; CPU time is the server's`);
  say(raceHead);
  for (const [name, path] of Object.entries(paths)) {
    say(raceLine(name, await race([quad, baseline], { path, headers }), goal));
  }

  const busyHeaders = { authorization: `Bearer ${await signIn(quad.origin, busyReader)}` };
  const opened: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let round = 0; round < inboxRounds; round += 1) {
    opened.few.push(await millisecondsOf(quad.origin + inbox, headers));
    opened.many.push(await millisecondsOf(quad.origin + inbox, busyHeaders));
  }
  const [few, many] = [opened.few, opened.many].map((times) =>
    quantile(
      times.sort((a, b) => a - b),
      0.5,
    ),
  );
  const ratio = (many ?? 0) / (few ?? 1);
  const met = ratio <= inboxGoal;
  say(
    `inbox of ${manyTalks} conversations: ${many?.toFixed(2)} ms, of ${talks}: ${few?.toFixed(2)} ms, ${ratio.toFixed(2)} times, ≤ ${inboxGoal}: ${met ? 'met' : 'MISSED'}`,
  );
  record({
    what: `inbox of ${manyTalks} conversations beside one of ${talks}`,
    ours: `${many?.toFixed(2)} ms`,
    limit: `${few?.toFixed(2)} ms`,
    ratio,
    goal: `≤ ${inboxGoal} ×`,
    met,
  });
} finally {
  await environment.close();
}
