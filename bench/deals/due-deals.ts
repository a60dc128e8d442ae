import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { listDueDeals } from '#server/features/deals/repository.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { quantile } from '../measure.ts';
import { recordResult } from '../results.ts';

const maxQueryMs = 50;
const maxSeconds = 120;
const maxP99Ms = 200;
const queryCount = 50;
/** Number of due deals that the server's job reads per query. */
const dealsPerRound = 200;
const messageIntervalMs = 25;

/**
 * Measures how long it takes to find the deals whose deadlines have passed. Returns a line to print. Throws
 * when PostgreSQL uses no index.
 */
export const measureFindingDueDeals = async (sql: Sql, what: string): Promise<string> => {
  const times: number[] = [];
  for (let query = 0; query < queryCount; query += 1) {
    const begun = performance.now();
    await listDueDeals(sql, new Date(), dealsPerRound);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const plan = await sql.query(
    `EXPLAIN (ANALYZE, BUFFERS) SELECT id FROM deals WHERE deadline_at <= now() ORDER BY deadline_at LIMIT ${dealsPerRound}`,
  );
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  if (!text.includes('deals_by_deadline')) throw new Error(`PostgreSQL uses no index:\n${text}`);
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  recordResult({
    what: `finding ${dealsPerRound} due deals, p99; ${what}`,
    ours: `${p99.toFixed(2)} ms`,
    goal: `< ${maxQueryMs} ms`,
    met: p99 < maxQueryMs,
  });
  return `finding due deals, ${what}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms\n${text}`;
};

const countDueDeals = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`SELECT count(*) FROM deals WHERE deadline_at <= now()`;
  return row?.count ?? 0;
};

/**
 * Sends messages at a steady rate, without waiting for the responses, until `isOver` returns true. Returns
 * the response times in ms.
 */
const sendMessages = async (
  { origin, token, conversationId }: MessageSender,
  isOver: () => boolean,
): Promise<number[]> => {
  const times: number[] = [];
  const send = async (): Promise<void> => {
    const begun = performance.now();
    const response = await fetch(`${origin}/rest/v1/conversations/${conversationId}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ client_id: randomUUID(), message_text: 'Could we meet on Friday at four?' }),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`Sending returned ${response.status}`);
    times.push(performance.now() - begun);
  };
  const requests: Promise<void>[] = [];
  while (!isOver()) {
    requests.push(send());
    await delay(messageIntervalMs);
  }
  await Promise.all(requests);
  return times.toSorted((a, b) => a - b);
};

export interface MessageSender {
  origin: string;
  token: string;
  conversationId: string;
}

/**
 * Measures how long the server takes to apply all deadlines that have passed, and how long it takes to send a
 * message in the meantime. The baseline is the time to send a message beforehand. Returns a line to print.
 */
export const measureApplyingDeadlines = async (
  sql: Sql,
  sender: MessageSender,
  deadline: Date,
): Promise<string> => {
  const baselineEnd = performance.now() + 10_000;
  const baseline = await sendMessages(sender, () => performance.now() > baselineEnd);
  await delay(Math.max(0, deadline.getTime() - Date.now()));
  const due = await countDueDeals(sql);
  const finding = await measureFindingDueDeals(sql, `${due} due`);
  let left = due;
  // The server's job runs once a minute, so wait until it has applied the first deadline.
  for (; left === due; left = await countDueDeals(sql)) await delay(200);
  const begun = performance.now();
  let isDone = false;
  const sending = sendMessages(sender, () => isDone);
  for (; left > 0; left = await countDueDeals(sql)) await delay(500);
  const seconds = (performance.now() - begun) / 1000;
  isDone = true;
  const times = await sending;
  const [limit, p99] = [quantile(baseline, 0.99), quantile(times, 0.99)];
  recordResult({
    what: `applying the deadlines of ${due} deals`,
    ours: `${seconds.toFixed(0)} s`,
    goal: `≤ ${maxSeconds} s`,
    met: seconds <= maxSeconds,
  });
  recordResult({
    what: 'p99 of sending a message meanwhile',
    ours: `${p99.toFixed(0)} ms`,
    limit: `${limit.toFixed(0)} ms`,
    ratio: p99 / limit,
    goal: `≤ ${maxP99Ms} ms`,
    met: p99 <= maxP99Ms,
  });
  return `${finding}\n${due} deadlines applied in ${seconds.toFixed(1)} s; sending a message: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (before: ${quantile(baseline, 0.5).toFixed(1)} and ${limit.toFixed(1)} ms)`;
};
