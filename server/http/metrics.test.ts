import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics } from '#server/platform/process/metrics.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { getListeningPort, parseStatuses, sendRawBytes } from '#server/testing/raw-socket.ts';
import manifest from '../../package.json' with { type: 'json' };

const metricsToken = 'a-token-for-prometheus';
let serverWithoutToken: TestApp;
let serverWithToken: TestApp;
beforeAll(async () => {
  serverWithoutToken = await startTestApp({ environment: { QUAD_TRUST_PROXY: '127.0.0.1' } });
  serverWithToken = await startTestApp({ environment: { QUAD_METRICS_TOKEN: metricsToken } });
});
afterAll(() => Promise.all([serverWithoutToken.close(), serverWithToken.close()]));

const requestMetricsStatus = async (
  testApp: TestApp,
  headers: Record<string, string> = {},
  remoteAddress = '127.0.0.1',
) => (await testApp.server.inject({ url: '/metrics', headers, remoteAddress })).statusCode;

test('without QUAD_METRICS_TOKEN, only direct requests from this machine get metrics', async () => {
  expect(await requestMetricsStatus(serverWithoutToken)).toBe(200);
  expect(await requestMetricsStatus(serverWithoutToken, {}, '::1')).toBe(200);
  expect(await requestMetricsStatus(serverWithoutToken, {}, '192.0.2.7')).toBe(404);
  expect(await requestMetricsStatus(serverWithoutToken, { host: 'quad.test' })).toBe(404);
  for (const header of ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via']) {
    expect(await requestMetricsStatus(serverWithoutToken, { [header]: '127.0.0.1' })).toBe(404);
  }
  await serverWithoutToken.server.listen({ port: 0, host: '127.0.0.1' });
  const port = getListeningPort(serverWithoutToken.server.server);
  const request = (version: string) =>
    sendRawBytes(
      port,
      `GET /metrics HTTP/${version}\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`,
    );
  expect(parseStatuses(await request('1.1'))).toEqual([200]);
  expect(parseStatuses(await request('1.0'))).toEqual([404]);
});

test('with an https QUAD_PUBLIC_URL, nobody gets metrics without a token', async () => {
  const environment = { QUAD_PUBLIC_URL: 'https://quad.test' };
  const headers = { authorization: `Bearer ${metricsToken}` };
  const withoutToken = await startTestApp({ environment });
  expect(await requestMetricsStatus(withoutToken)).toBe(404);
  expect(await requestMetricsStatus(withoutToken, headers)).toBe(404);
  await withoutToken.close();
  const withToken = await startTestApp({ environment: { ...environment, QUAD_METRICS_TOKEN: metricsToken } });
  expect(await requestMetricsStatus(withToken, headers)).toBe(200);
  await withToken.close();
});

test('with QUAD_METRICS_TOKEN, the token is required and sufficient', async () => {
  expect(await requestMetricsStatus(serverWithToken)).toBe(404);
  expect(
    await requestMetricsStatus(serverWithToken, { authorization: 'Bearer another-token-altogether' }),
  ).toBe(404);
  expect(
    await requestMetricsStatus(serverWithToken, { authorization: `Bearer ${metricsToken}` }, '192.0.2.7'),
  ).toBe(200);
});

test('requests are counted by route and status, never by address', async () => {
  const person = await serverWithoutToken.signIn();
  const { listing } = (await submitListingForm(serverWithoutToken, person)).body;
  await serverWithoutToken.server.inject({ url: `/rest/v1/listings/${listing.slug}` });
  await serverWithoutToken.server.inject({ url: '/rest/v1/listings/no-such-listing?q=something' });
  await serverWithoutToken.server.inject({ url: '/reset-password/a-secret-of-somebody' });
  const { body, headers } = await serverWithoutToken.server.inject({ url: '/metrics' });
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(body).toMatch(
    /quad_http_request_duration_seconds_count\{method="GET",route="\/rest\/v1\/listings\/:slug",status="200"\} 1/,
  );
  expect(body).toMatch(/route="\/rest\/v1\/listings\/:slug",status="404"\} 1/);
  expect(body).toContain('quad_database_up 1');
  expect(body).toMatch(/quad_database_info\{version="18\.\d+"\} 1/);
  expect(body).toMatch(/quad_database_connections\{state="(active|idle)"\} \d/);
  for (const secret of [listing.slug, 'something', 'a-secret', person.userId])
    expect(body).not.toContain(secret);
});

test('the running version is a metric', async () => {
  const { body } = await serverWithoutToken.server.inject({ url: '/metrics' });
  expect(body).toContain(`quad_build_info{version="${manifest.version}"} 1`);
});

const names = createMetrics({ workerIndex: 1 }).names();
const existingMetrics = new Set(
  names.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]),
);
const readProjectFile = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const listUsedMetrics = (text: string): string[] => text.match(/\b(quad|nodejs|process)_\w+/g) ?? [];

test('the dashboard uses only existing metrics', () => {
  const dashboard = JSON.stringify(JSON.parse(readProjectFile('ops/grafana-dashboard.json')));
  const usedMetrics = listUsedMetrics(dashboard);
  // Rates need counters, and a counter is called so.
  const rated = [...dashboard.matchAll(/\brate\((\w+)/g)].map(([, name]) => name);
  expect(rated.filter((name) => !name?.match(/_(total|count|bucket|sum)$/))).toEqual([]);
  expect(usedMetrics.length).toBeGreaterThan(15);
  expect(usedMetrics.filter((name) => !existingMetrics.has(name))).toEqual([]);
  // The dashboard must also show every metric that Quad defines.
  const ours = names.filter((name) => name.startsWith('quad_'));
  expect(ours.filter((name) => !usedMetrics.some((it) => it.startsWith(name)))).toEqual([]);
});

test('the example alerts use only existing metrics, and the documentation says what to do for each', () => {
  const rules = readProjectFile('ops/prometheus-rules.yaml');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(5);
  expect(rules.match(/^ {8}expr: /gm)).toHaveLength(alerts.length);
  expect(listUsedMetrics(rules).filter((name) => !existingMetrics.has(name))).toEqual([]);
  const [, documented = ''] = /### Alerts\n(.*?)\n###/s.exec(readProjectFile('docs/operations.md')) ?? [];
  expect([...documented.matchAll(/^\| `(\w+)` \| .+ \|$/gm)].map(([, name]) => name)).toEqual(alerts);
});
