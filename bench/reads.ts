/**
 * `npm run bench:reads`: measures how fast Quad responds to the API calls that screens use to read
 * data. The baseline is a server that reads the same rows with hand-written SQL, but does not count
 * the matches. Both servers run in their own processes; this process creates the load.
 */
import { availableParallelism } from 'node:os';
import { categories } from '#contract/categories.ts';
import { compareServers, comparisonTableHeader, recordComparison } from './compare-servers.ts';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { quantile } from './measure.ts';
import { addUserWithConversations, signIn } from './people.ts';
import { recordResult } from './results.ts';

const minThroughputRatio = 0.6;
const listingCount = 100_000;
const requestedListingCount = 1000;
const conversationCount = 50;
const largeInboxSize = 5_000;
const maxInboxRatio = 1.2;
const readerEmail = 'reader@usc.edu';
const busyReaderEmail = 'busy-reader@usc.edu';
const inboxPath = '/rest/v1/conversations';
/** Number of requests for each of the two inboxes that are compared; their requests alternate. */
const inboxRounds = 300;

const measureResponseMs = async (url: string, headers: Record<string, string>): Promise<number> => {
  const begun = performance.now();
  await (await fetch(url, { headers })).text();
  return performance.now() - begun;
};

const createPathCycle = (paths: readonly string[]) => {
  let turn = 0;
  return () => paths[turn++ % paths.length] ?? '';
};

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const environment = await openBenchEnvironment(async (sql) => {
  await generateListings(sql, listingCount);
  const userId = await addUserWithConversations(sql, readerEmail, conversationCount);
  await addUserWithConversations(sql, busyReaderEmail, largeInboxSize);
  const subjects = await sql<{ slug: string }[]>`
    SELECT slug FROM listings WHERE status = 'published' AND photos <> '{}' LIMIT ${requestedListingCount}`;
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

  const headers = { authorization: `Bearer ${await signIn(quad.origin, readerEmail)}` };
  const paths = {
    latest: '/rest/v1/listings?limit=8',
    category: '/rest/v1/listings?category=furniture',
    detail: `/rest/v1/listings/${slugs[0]}`,
    // Here, consecutive requests have different paths. Quad runs only one SQL statement for identical reads
    // that arrive at the same time (docs/decisions/0027), so equal paths would measure less work.
    details: createPathCycle(slugs.map((slug) => `/rest/v1/listings/${slug}`)),
    categories: createPathCycle(categories.map((category) => `/rest/v1/listings?category=${category}`)),
    inbox: inboxPath,
  };
  printLine(
    `${availableParallelism()} cores, 32 connections, ${listingCount} listings; CPU time is the server's`,
  );
  printLine(comparisonTableHeader);
  for (const [name, path] of Object.entries(paths)) {
    printLine(
      recordComparison(name, await compareServers([quad, baseline], { path, headers }), minThroughputRatio),
    );
  }

  const busyHeaders = { authorization: `Bearer ${await signIn(quad.origin, busyReaderEmail)}` };
  const inboxTimes: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let round = 0; round < inboxRounds; round += 1) {
    inboxTimes.few.push(await measureResponseMs(quad.origin + inboxPath, headers));
    inboxTimes.many.push(await measureResponseMs(quad.origin + inboxPath, busyHeaders));
  }
  const [few, many] = [inboxTimes.few, inboxTimes.many].map((times) =>
    quantile(
      times.sort((a, b) => a - b),
      0.5,
    ),
  );
  const ratio = (many ?? 0) / (few ?? 1);
  const met = ratio <= maxInboxRatio;
  printLine(
    `inbox of ${largeInboxSize} conversations: ${many?.toFixed(2)} ms, of ${conversationCount}: ${few?.toFixed(2)} ms, ${ratio.toFixed(2)} times, ≤ ${maxInboxRatio}: ${met ? 'met' : 'MISSED'}`,
  );
  recordResult({
    what: `inbox of ${largeInboxSize} conversations beside one of ${conversationCount}`,
    ours: `${many?.toFixed(2)} ms`,
    limit: `${few?.toFixed(2)} ms`,
    ratio,
    goal: `≤ ${maxInboxRatio} ×`,
    met,
  });
} finally {
  await environment.close();
}
