/**
 * `npm run bench:deals`: measures the cost of a deal's transition compared with that of a message; how fast
 * due deals are found among a million open ones; and how long the server takes to process 10,000 due deals
 * while people send messages. To use smaller numbers: `npm run bench:deals -- <open deals> <due deals>`.
 */
import { availableParallelism, loadavg } from 'node:os';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { compareTransitionsWithMessages, openBuyerConversations } from './deals/cost.ts';
import { measureApplyingDeadlines, measureFindingDueDeals } from './deals/due-deals.ts';
import { addBuyersWithListings, addExpiringOffers, addOpenDeals } from './deals/rows.ts';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';

const [openCount = 1_000_000, dueCount = 10_000] = process.argv.slice(2).map(Number);
const pairCount = 8;
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const environment = await openBenchEnvironment(async (sql) => {
  // Creates more listings than needed, because some are drafts or for rent.
  await generateListings(sql, 2 * dueCount);
  return addBuyersWithListings(sql, pairCount);
});
const sql = openDatabase(environment.databaseUrl, { max: 1 });
try {
  const quad = await environment.spawnQuad({ NODE_ENV: 'development', QUAD_RATE_LIMITS: 'off' });
  const pairs = await openBuyerConversations(quad.origin, environment.seeded);
  const [firstPair] = pairs;
  if (!firstPair) throw new Error('There are no pairs');
  printLine(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  for (const compared of [[firstPair], pairs])
    printLine(await compareTransitionsWithMessages(quad, sql, compared));

  await addOpenDeals(sql, openCount);
  printLine(await measureFindingDueDeals(sql, `none among ${openCount} open ones`));
  const deadline = new Date(Date.now() + 30_000);
  await addExpiringOffers(sql, dueCount, deadline);
  printLine(`load ${loadavg()[0]?.toFixed(1)}`);
  const { conversationId, tokens } = firstPair;
  const sender = { origin: quad.origin, token: tokens.buyer, conversationId };
  printLine(await measureApplyingDeadlines(sql, sender, deadline));
  printLine(`load ${loadavg()[0]?.toFixed(1)} at the end`);
} finally {
  await sql.end();
  await environment.close();
}
