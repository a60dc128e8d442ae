import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { openDatabase } from '#server/platform/postgres/database.ts';
import type { Category } from '../contract/categories.ts';
import { addDays } from '../contract/days.ts';
import { toUserTopic } from '../contract/realtime.ts';
import { connectToEmbeddedDatabase } from '../server/platform/postgres/embedded-connection.ts';
import { silentLog } from '../server/platform/process/log.ts';
import { insertOffers, type OfferedDays } from '../server/testing/offers.ts';
import { openRawSocket, type RawSocket } from '../server/testing/raw-socket.ts';
import { waitWithTimeout } from '../server/testing/wait-with-timeout.ts';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import {
  listWorkerPids,
  sendRequestOnNewConnection,
  sendRequestsToAllWorkers,
} from './support/server-workers.ts';
import { postListing, type Student, signUp } from './support/students.ts';
import { test } from './support/test.ts';

const metricsToken = 'a-token-for-prometheus';
let quadServer: QuadServer;
test.beforeAll(async () => {
  quadServer = await startQuad({ QUAD_WORKERS: '2', QUAD_METRICS_TOKEN: metricsToken });
});
test.afterAll(async () => {
  await quadServer?.stop();
});

const readMetrics = async (): Promise<string> => {
  const { status, text } = await sendRequestOnNewConnection(quadServer, '/metrics', metricsToken);
  expect(status).toBe(200);
  return text;
};

/**
 * Returns a metric's value for each process: the sum of the process's series that match the
 * pattern. Series without a process label are summed under `none`.
 */
const sumMetricByProcess = (text: string, series: RegExp): Record<string, number> => {
  const values: Record<string, number> = {};
  for (const line of text.split('\n').filter((candidate) => series.test(candidate))) {
    const [, place = 'none'] = /process="(\d+)"/.exec(line) ?? [];
    values[place] = (values[place] ?? 0) + Number(line.split(' ').at(-1));
  }
  return values;
};

/**
 * Opens a WebSocket and tries to join the student's own topic. In the result, `may` is true if the server
 * accepted the join.
 */
const tryToJoinOwnTopic = async ({
  id,
  token: shown,
}: Student): Promise<{ socket: RawSocket; may: boolean }> => {
  const socket = await openRawSocket(Number(new URL(quadServer.url).port));
  const { status } = (await socket.join(toUserTopic(id), { access_token: shown })) as { status: string };
  return { socket, may: status === 'ok' };
};
const tryToJoinConcurrently = (student: Student, times: number) =>
  Promise.all(Array.from({ length: times }, () => tryToJoinOwnTopic(student)));

test('every worker returns the metrics of all workers, and describes each metric once', async () => {
  for (const { status } of await sendRequestsToAllWorkers(quadServer, '/healthz')) expect(status).toBe(200);
  const health = /^quad_http_request_duration_seconds_count\{.*route="\/healthz"/;
  let counts: Record<string, number> = {};
  const sum = async () => {
    counts = sumMetricByProcess(await readMetrics(), health);
    return Object.values(counts).reduce((all, count) => all + count, 0);
  };
  // Poll the counts, because a request is counted only after its response has been sent.
  await expect.poll(sum).toBe(8);
  expect(Object.keys(counts)).toEqual(['1', '2']);
  for (const { text } of await sendRequestsToAllWorkers(quadServer, '/metrics', metricsToken)) {
    expect(sumMetricByProcess(text, health)).toEqual(counts);
    for (const name of ['quad_sockets', 'nodejs_eventloop_lag_p99_seconds', 'process_start_time_seconds'])
      expect(Object.keys(sumMetricByProcess(text, new RegExp(`^${name}\\{`)))).toEqual(['1', '2']);
    // The metric quad_database_up describes the deployment, so it has no process label.
    expect(sumMetricByProcess(text, /^quad_database_up /)).toEqual({ none: 1 });
    expect(Object.keys(sumMetricByProcess(text, /^quad_database_connections\{/))).toEqual(['none']);
    const described = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
    expect(new Set(described).size).toBe(described.length);
    // No time series may appear twice in the metrics.
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const named = series.map((line) => line.slice(0, line.lastIndexOf(' ')));
    expect(new Set(named).size).toBe(named.length);
  }
  expect((await sendRequestsToAllWorkers(quadServer, '/metrics')).map(({ status }) => status)).toEqual(
    Array(8).fill(404),
  );
});

test('metrics leave out a hanging worker instead of waiting for it', async () => {
  const [, frozen = 0] = listWorkerPids(quadServer);
  process.kill(frozen, 'SIGSTOP');
  try {
    // One of the two requests reaches the worker that is not paused, because they go to different workers.
    const text = await waitWithTimeout(5_000, Promise.any([readMetrics(), readMetrics()]));
    expect(Object.keys(sumMetricByProcess(text, /^quad_sockets\{/))).toHaveLength(1);
  } finally {
    process.kill(frozen, 'SIGCONT');
  }
  await expect
    .poll(async () => Object.keys(sumMetricByProcess(await readMetrics(), /^quad_sockets\{/)))
    .toEqual(['1', '2']);
});

test('promise 37: an account may have twenty sockets across all workers, and those of a killed worker are released', async () => {
  const student = await signUp(quadServer, 'Sue Sockets', 'sue@usc.edu');
  // The first two sockets connect one after the other, so that each worker has one. The others
  // connect concurrently.
  const tried = [
    await tryToJoinOwnTopic(student),
    await tryToJoinOwnTopic(student),
    ...(await tryToJoinConcurrently(student, 28)),
  ];
  const granted = tried.filter(({ may }) => may).map(({ socket }) => socket);
  expect(granted).toHaveLength(20);
  for (const { socket, may } of tried) if (!may) socket.webSocket.terminate();

  const gone: RawSocket[] = [];
  for (const socket of granted) void socket.closed.then(() => gone.push(socket));
  const before = listWorkerPids(quadServer).length;
  process.kill(listWorkerPids(quadServer).at(-1) ?? 0, 'SIGKILL');
  await expect.poll(() => listWorkerPids(quadServer).length, { timeout: 30_000 }).toBe(before + 1);
  expect(gone.length).toBeGreaterThan(0);
  expect(gone.length).toBeLessThan(20);
  const again = await tryToJoinConcurrently(student, gone.length + 5);
  expect(again.filter(({ may }) => may)).toHaveLength(gone.length);

  // A closed socket no longer counts toward the limit. A socket that was refused before may therefore join
  // now, even on another worker.
  const refused = again.find(({ may }) => !may)?.socket;
  const open = again.find(({ may }) => may)?.socket;
  open?.webSocket.close();
  await open?.closed;
  await expect
    .poll(() => refused?.join(toUserTopic(student.id), { access_token: student.token }))
    .toMatchObject({ status: 'ok' });
  expect((await tryToJoinOwnTopic(student)).may).toBe(false);
  for (const { socket } of [...tried, ...again]) socket.webSocket.terminate();
});

test('promise 62: of 50 offers accepted at once through two processes, one wins, even if rentals overlap by only a day', async () => {
  const seller = await signUp(quadServer, 'Sally Seller', 'sally@usc.edu');
  const { url } = await connectToEmbeddedDatabase({ dataDir: quadServer.dataDir, log: silentLog });
  const sql = openDatabase(url, { max: 1 });
  const count = 50;
  const now = new Date();
  const firstDay = addDays(now.toISOString().slice(0, 10), 10);
  const accept = async (id: string): Promise<{ id: string; status: number; body: unknown }> => {
    const answer = await fetch(`${quadServer.url}/rest/v1/deals/${id}/transitions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${seller.token}` },
      body: JSON.stringify({ client_id: randomUUID(), transition: 'accept' }),
    });
    return { id, status: answer.status, body: await answer.json() };
  };
  const acceptAll = async (category: Category, toDays: (n: number) => OfferedDays): Promise<void> => {
    const listing = await postListing(quadServer, seller, `Wanted by fifty: ${category}`, { category });
    const ids = await insertOffers(sql, {
      listingId: listing.id,
      sellerId: seller.id,
      count,
      toDays,
      now,
    });
    const answers = await Promise.all(ids.map(accept));
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(count - 1);
    for (const { id, body } of refused)
      expect(body).toMatchObject({
        code: 'deal_moved_on',
        deal: { id, state: 'offered', waiting: true, transitions: ['counter', 'decline'] },
      });
    const [winner] = answers.filter(({ status }) => status === 200);
    expect(winner?.body).toMatchObject({ id: winner?.id, state: 'held' });
    const held = await sql`SELECT id FROM deals WHERE listing_id = ${listing.id} AND state = 'held'`;
    expect(held.map(({ id }) => id)).toEqual([winner?.id]);
  };
  try {
    await acceptAll('furniture', () => [null, null]);
    const [meetingDay, lastDay] = [addDays(firstDay, 2), addDays(firstDay, 4)];
    await acceptAll('rentals', (n) => (n % 2 === 0 ? [firstDay, meetingDay] : [meetingDay, lastDay]));
    const steps = /^quad_http_request_duration_seconds_count\{.*route="\/rest\/v1\/deals\/:id\/transitions"/;
    const shares = async () => Object.values(sumMetricByProcess(await readMetrics(), steps)).toSorted();
    await expect.poll(async () => (await shares()).reduce((all, share) => all + share, 0)).toBe(2 * count);
    expect(await shares()).toEqual([expect.any(Number), expect.any(Number)]);
  } finally {
    await sql.end();
  }
});
