import { expect, test } from '@playwright/test';
import { userTopic } from '../contract/realtime.ts';
import { openRawSocket, type RawSocket } from '../server/testing/raw-socket.ts';
import { waitWithTimeout } from '../server/testing/within.ts';
import { type Quad, startQuad } from './support/quad.ts';
import { type Student, signUp } from './support/students.ts';
import { listWorkerPids, sendEightRequests, sendRequest } from './support/workers.ts';

const token = 'a-token-for-prometheus';
let quad: Quad;
test.beforeAll(async () => {
  quad = await startQuad({ WORKERS: '2', METRICS_TOKEN: token });
});
test.afterAll(async () => {
  await quad?.stop();
});

const readMetrics = async (): Promise<string> => {
  const { status, text } = await sendRequest(quad, '/metrics', token);
  expect(status).toBe(200);
  return text;
};

/** Returns the values of a metric by process, summed over its series. */
const sumByProcess = (text: string, series: RegExp): Record<string, number> => {
  const values: Record<string, number> = {};
  for (const line of text.split('\n').filter((candidate) => series.test(candidate))) {
    const [, place = 'none'] = /process="(\d+)"/.exec(line) ?? [];
    values[place] = (values[place] ?? 0) + Number(line.split(' ').at(-1));
  }
  return values;
};

/** Opens a socket and joins; returns whether the join was accepted. */
const tryToListen = async ({ id, token: shown }: Student): Promise<{ socket: RawSocket; may: boolean }> => {
  const socket = await openRawSocket(Number(new URL(quad.url).port));
  const { status } = (await socket.join(userTopic(id), { access_token: shown })) as { status: string };
  return { socket, may: status === 'ok' };
};
const tryOften = (student: Student, times: number) =>
  Promise.all(Array.from({ length: times }, () => tryToListen(student)));

test('every worker returns the metrics of all workers, each described once', async () => {
  for (const { status } of await sendEightRequests(quad, '/healthz')) expect(status).toBe(200);
  const health = /^quad_http_request_duration_seconds_count\{.*route="\/healthz"/;
  let counts: Record<string, number> = {};
  const sum = async () => {
    counts = sumByProcess(await readMetrics(), health);
    return Object.values(counts).reduce((all, count) => all + count, 0);
  };
  // A request is counted when its response is sent.
  await expect.poll(sum).toBe(8);
  expect(Object.keys(counts)).toEqual(['1', '2']);
  for (const { text } of await sendEightRequests(quad, '/metrics', token)) {
    expect(sumByProcess(text, health)).toEqual(counts);
    for (const name of ['quad_sockets', 'nodejs_eventloop_lag_p99_seconds', 'process_start_time_seconds'])
      expect(Object.keys(sumByProcess(text, new RegExp(`^${name}\\{`)))).toEqual(['1', '2']);
    // This metric describes the deployment, so it has no process label.
    expect(sumByProcess(text, /^quad_database_up /)).toEqual({ none: 1 });
    expect(Object.keys(sumByProcess(text, /^quad_database_connections\{/))).toEqual(['none']);
    const described = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
    expect(new Set(described).size).toBe(described.length);
    // Every series directly follows its description, and none appears twice.
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const named = series.map((line) => line.slice(0, line.lastIndexOf(' ')));
    expect(new Set(named).size).toBe(named.length);
  }
  expect((await sendEightRequests(quad, '/metrics')).map(({ status }) => status)).toEqual(Array(8).fill(404));
});

test('metrics leave out a hanging worker instead of waiting for it', async () => {
  const [, frozen = 0] = listWorkerPids(quad);
  process.kill(frozen, 'SIGSTOP');
  try {
    // One of these two requests reaches the responsive worker.
    const text = await waitWithTimeout(5_000, Promise.any([readMetrics(), readMetrics()]));
    expect(Object.keys(sumByProcess(text, /^quad_sockets\{/))).toHaveLength(1);
  } finally {
    process.kill(frozen, 'SIGCONT');
  }
  await expect
    .poll(async () => Object.keys(sumByProcess(await readMetrics(), /^quad_sockets\{/)))
    .toEqual(['1', '2']);
});

test('promise 37: an account may have twenty sockets across all workers, and those of a killed worker are released', async () => {
  const student = await signUp(quad, 'Sue Sockets', 'sue@usc.edu');
  // The first two connect sequentially, so that each worker has one; the others connect concurrently.
  const tried = [await tryToListen(student), await tryToListen(student), ...(await tryOften(student, 28))];
  const granted = tried.filter(({ may }) => may).map(({ socket }) => socket);
  expect(granted).toHaveLength(20);
  for (const { socket, may } of tried) if (!may) socket.webSocket.terminate();

  const gone: RawSocket[] = [];
  for (const socket of granted) void socket.closed.then(() => gone.push(socket));
  const before = listWorkerPids(quad).length;
  process.kill(listWorkerPids(quad).at(-1) ?? 0, 'SIGKILL');
  await expect.poll(() => listWorkerPids(quad).length, { timeout: 30_000 }).toBe(before + 1);
  expect(gone.length).toBeGreaterThan(0);
  expect(gone.length).toBeLessThan(20);
  const again = await tryOften(student, gone.length + 5);
  expect(again.filter(({ may }) => may)).toHaveLength(gone.length);

  // A closed socket no longer counts, whichever worker the next one connects to.
  const refused = again.find(({ may }) => !may)?.socket;
  const open = again.find(({ may }) => may)?.socket;
  open?.webSocket.close();
  await open?.closed;
  await expect
    .poll(() => refused?.join(userTopic(student.id), { access_token: student.token }))
    .toMatchObject({ status: 'ok' });
  expect((await tryToListen(student)).may).toBe(false);
  for (const { socket } of [...tried, ...again]) socket.webSocket.terminate();
});
