/**
 * `npm run bench:reads`: how fast the read calls of screens are, compared with a hand-written server that reads the same
 * rows with the leanest SQL, without counting. Both run in their own processes; this process creates the load.
 */
import { availableParallelism } from 'node:os';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { addReader, signIn } from './people.ts';
import { race, raceHead, raceLine } from './race.ts';

const goal = 0.9;
const listings = 100_000;
const talks = 50;
const reader = 'reader@usc.edu';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const environment = await openBenchEnvironment(async (sql) => {
  await generateListings(sql, listings);
  const userId = await addReader(sql, reader, talks);
  const [subject] = await sql<{ slug: string }[]>`
    SELECT slug FROM listings WHERE status = 'published' AND photos <> '{}' LIMIT 1`;
  await sql`VACUUM ANALYZE`;
  return { slug: subject?.slug ?? '', userId };
});
try {
  const { slug, userId } = environment.seeded;
  const quad = await environment.spawnQuad();
  const baseline = await environment.spawnBaseline('bench/baseline-reads.ts', [
    environment.databaseUrl,
    userId,
  ]);

  const headers = { authorization: `Bearer ${await signIn(quad.origin, reader)}` };
  const paths = {
    latest: '/rest/v1/listings?limit=8',
    category: '/rest/v1/listings?category=furniture',
    detail: `/rest/v1/listings/${slug}`,
    inbox: '/rest/v1/conversations',
  };
  say(`${availableParallelism()} cores, 32 connections, ${listings} listings; CPU time is the server's`);
  say(raceHead);
  for (const [name, path] of Object.entries(paths)) {
    say(raceLine(name, await race([quad, baseline], { path, headers }), goal));
  }
} finally {
  await environment.close();
}
