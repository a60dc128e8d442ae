import { randomUUID } from 'node:crypto';
import { addDays } from '#contract/days.ts';
import type { Deal } from '#contract/deals.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { createRentalTransitions } from '#server/testing/rental-transitions.ts';
import { type ComparedServer, median, readCpuMicroseconds } from '../compare-servers.ts';
import { signIn } from '../people.ts';
import { recordResult } from '../results.ts';
import { type BuyerWithListing, sellerEmail } from './rows.ts';

const maxCostRatio = 5;
const roundCount = 5;
const secondsPerRound = 4;

/** A listing, the conversation of its seller with a buyer about it, and the access tokens of both. */
interface Pair {
  listingId: string;
  conversationId: string;
  tokens: { buyer: string; seller: string };
}

/**
 * The cost of one request: elapsed time in ms, and CPU time of the server and of PostgreSQL in microseconds.
 */
interface Cost {
  elapsed: number;
  server: number;
  database: number;
}

const post = async <Answer>(origin: string, path: string, token: string, body: object): Promise<Answer> => {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return response.json();
};

/** Signs in the seller and all buyers, and opens a conversation for each buyer. */
export const openBuyerConversations = async (
  origin: string,
  buyers: readonly BuyerWithListing[],
): Promise<Pair[]> => {
  const seller = await signIn(origin, sellerEmail);
  return Promise.all(
    buyers.map(async ({ buyerEmail, listingId }) => {
      const buyer = await signIn(origin, buyerEmail);
      const { id } = await post<{ id: string }>(origin, '/rest/v1/conversations', buyer, {
        listing_id: listingId,
      });
      return { listingId, conversationId: id, tokens: { buyer, seller } };
    }),
  );
};

type Work = (pair: Pair, countRequest: () => void, isOver: () => boolean) => Promise<void>;

const createMessageWork =
  (origin: string): Work =>
  async ({ conversationId, tokens }, countRequest, isOver) => {
    while (!isOver()) {
      const body = { client_id: randomUUID(), message_text: 'Could we meet on Friday at four?' };
      await post(origin, `/rest/v1/conversations/${conversationId}/messages`, tokens.buyer, body);
      countRequest();
    }
  };

/**
 * Returns a function that makes deals while the benchmark measures them. It completes one rental after the
 * other, from the offer to the return, so that every transition is measured equally often.
 */
const createDealWork =
  (origin: string): Work =>
  async ({ listingId, tokens }, countRequest, isOver) => {
    const firstDay = addDays(new Date().toISOString().slice(0, 10), 20);
    while (!isOver()) {
      const days = { first_day: firstDay, last_day: addDays(firstDay, 1) };
      const offer = { client_id: randomUUID(), listing_id: listingId, price: 20, ...days };
      const { id } = await post<Deal>(origin, '/rest/v1/deals', tokens.buyer, offer);
      countRequest();
      for (const [by, transition, , data] of createRentalTransitions(firstDay)) {
        const body = { client_id: randomUUID(), transition, ...data };
        await post(origin, `/rest/v1/deals/${id}/transitions`, tokens[by], body);
        countRequest();
      }
    }
  };

const readDatabaseCpu = async (sql: Sql): Promise<number> => {
  const rows = await sql<{ pid: number }[]>`SELECT pid FROM pg_stat_activity`;
  return rows.map(({ pid }) => readCpuMicroseconds(pid)).reduce((sum, time) => sum + (time || 0), 0);
};

/**
 * Compares the cost of deal transitions with that of messages. Rounds with complete rentals alternate with
 * rounds with messages. In each round all pairs of buyer and seller work concurrently; each pair sends one
 * request after the other. Returns a line to print.
 */
export const compareTransitionsWithMessages = async (
  { origin, pid }: ComparedServer,
  sql: Sql,
  pairs: readonly Pair[],
): Promise<string> => {
  const measure = async (work: Work): Promise<Cost> => {
    const before = { server: readCpuMicroseconds(pid), database: await readDatabaseCpu(sql) };
    let requests = 0;
    const begun = performance.now();
    const isOver = () => performance.now() - begun > secondsPerRound * 1000;
    const countRequest = () => {
      requests += 1;
    };
    await Promise.all(pairs.map((pair) => work(pair, countRequest, isOver)));
    return {
      elapsed: ((performance.now() - begun) * pairs.length) / requests,
      server: (readCpuMicroseconds(pid) - before.server) / requests,
      database: ((await readDatabaseCpu(sql)) - before.database) / requests,
    };
  };
  const [sendMessages, makeDeals] = [createMessageWork(origin), createDealWork(origin)];
  for (const work of [sendMessages, makeDeals]) await measure(work);
  const rounds: { message: Cost; transition: Cost }[] = [];
  for (let round = 0; round < roundCount; round += 1)
    rounds.push({ message: await measure(sendMessages), transition: await measure(makeDeals) });

  const cells = (['elapsed', 'server', 'database'] as const).map((part) => {
    const [message, transition] = (['message', 'transition'] as const).map((kind) =>
      median(rounds.map((round) => round[kind][part])),
    ) as [number, number];
    const ratio = median(rounds.map((round) => round.transition[part] / round.message[part]));
    const format = (value: number) =>
      part === 'elapsed' ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} µs`;
    const name = { elapsed: 'elapsed', server: 'CPU time of the server', database: 'CPU time of PostgreSQL' }[
      part
    ];
    recordResult({
      what: `transition compared with a message, ${name}, ${pairs.length} connections`,
      ours: format(transition),
      limit: format(message),
      ratio,
      goal: `≤ ${maxCostRatio} ×`,
      met: ratio <= maxCostRatio,
    });
    return `${name} ${format(transition)}, message ${format(message)}: ${ratio.toFixed(2)} ×`;
  });
  return `transition over ${pairs.length} connections: ${cells.join('; ')}`;
};
