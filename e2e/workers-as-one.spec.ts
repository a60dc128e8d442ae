import { expect, test } from '@playwright/test';
import { type Quad, startQuad } from './support/quad.ts';
import { ask, askOften, workersOf } from './support/workers.ts';

const token = 'a-token-for-prometheus';
let quad: Quad;
test.beforeAll(async () => {
  quad = await startQuad({ WORKERS: '2', METRICS_TOKEN: token });
});
test.afterAll(async () => {
  await quad?.stop();
});

const readMetrics = async (): Promise<string> => {
  const { status, text } = await ask(quad, '/metrics', token);
  expect(status).toBe(200);
  return text;
};

/** The values of a series by process; of one that has several for a process, their sum. */
const valuesOf = (text: string, series: RegExp): Record<string, number> => {
  const values: Record<string, number> = {};
  for (const line of text.split('\n').filter((candidate) => series.test(candidate))) {
    const [, place = 'none'] = /process="(\d+)"/.exec(line) ?? [];
    values[place] = (values[place] ?? 0) + Number(line.split(' ').at(-1));
  }
  return values;
};

test('whichever worker is read, the metrics are those of all, each described once', async () => {
  for (const { status } of await askOften(quad, '/healthz')) expect(status).toBe(200);
  const health = /^quad_http_request_duration_seconds_count\{.*route="\/healthz"/;
  let counts: Record<string, number> = {};
  const sum = async () => {
    counts = valuesOf(await readMetrics(), health);
    return Object.values(counts).reduce((all, count) => all + count, 0);
  };
  // A request is counted when its answer is on its way.
  await expect.poll(sum).toBe(8);
  expect(Object.keys(counts)).toEqual(['1', '2']);
  for (const { text } of await askOften(quad, '/metrics', token)) {
    expect(valuesOf(text, health)).toEqual(counts);
    for (const name of ['quad_sockets', 'nodejs_eventloop_lag_p99_seconds', 'process_start_time_seconds'])
      expect(Object.keys(valuesOf(text, new RegExp(`^${name}\\{`)))).toEqual(['1', '2']);
    // Of the deployment, not of a process.
    expect(valuesOf(text, /^quad_database_up /)).toEqual({ none: 1 });
    expect(Object.keys(valuesOf(text, /^quad_database_connections\{/))).toEqual(['none']);
    const described = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name]) => name);
    expect(new Set(described).size).toBe(described.length);
    // No series stands away from its description, and none twice.
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const named = series.map((line) => line.slice(0, line.lastIndexOf(' ')));
    expect(new Set(named).size).toBe(named.length);
  }
  expect((await askOften(quad, '/metrics')).map(({ status }) => status)).toEqual(Array(8).fill(404));
});

test('a worker that hangs is left out of the metrics within a second or two', async () => {
  const [, frozen = 0] = workersOf(quad);
  process.kill(frozen, 'SIGSTOP');
  try {
    const begun = performance.now();
    // One of two goes to the worker that answers.
    const text = await Promise.any([readMetrics(), readMetrics()]);
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(Object.keys(valuesOf(text, /^quad_sockets\{/))).toHaveLength(1);
  } finally {
    process.kill(frozen, 'SIGCONT');
  }
  await expect
    .poll(async () => Object.keys(valuesOf(await readMetrics(), /^quad_sockets\{/)))
    .toEqual(['1', '2']);
});
