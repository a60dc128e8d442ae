/**
 * `npm run bench:reads`: how fast reads are answered that no cache helps, beside a bare `node:http` server that sends the
 * rows of the same statements over the same driver. Both are processes of their own; the load comes from this one.
 */
import { availableParallelism } from 'node:os';
import { generateListings } from './generate.ts';
import { openGround } from './ground.ts';
import { addReader, signIn } from './people.ts';
import { race, raceHead, raceLine } from './race.ts';
import { recordReads } from './recorded-reads.ts';

const goal = 0.7;
const listings = 20_000;
const talks = 30;
const reader = 'reader@usc.edu';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const ground = await openGround(async (sql) => {
  await generateListings(sql, listings);
  const userId = await addReader(sql, reader, talks);
  const [subject] = await sql<{ slug: string }[]>`
    SELECT slug FROM listings WHERE status = 'published' AND photos <> '{}' LIMIT 1`;
  await sql`VACUUM ANALYZE`;
  return { slug: subject?.slug ?? '', userId };
});
try {
  const recorded = await recordReads(ground.databaseUrl, ground.seeded);
  const quad = await ground.spawnQuad();
  const bare = await ground.spawnBare('bench/bare-reads.ts', [ground.databaseUrl, JSON.stringify(recorded)]);

  const headers = { authorization: `Bearer ${await signIn(quad.origin, reader)}` };
  const names = ['latest', 'category', 'detail', 'inbox'];
  say(
    `${availableParallelism()} cores, 32 connections, ${listings} listings; processor time is the server's`,
  );
  say(raceHead);
  for (const [place, path] of Object.keys(recorded).entries()) {
    say(raceLine(names[place] ?? path, await race([quad, bare], { path, headers }), goal));
  }
} finally {
  await ground.close();
}
