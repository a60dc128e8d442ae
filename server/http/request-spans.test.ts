import { expect, onTestFinished, test, vi } from 'vitest';
import { dealSettlingQueue } from '#server/features/deals/public.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { createLog } from '#server/platform/process/log.ts';
import { findTraceContext, isTracing, runInSpan, startTracing } from '#server/platform/process/tracing.ts';
import { openServerJobQueue } from '#server/start/open-job-queue.ts';
import { startTestApp } from '#server/testing/app.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { startOtlpReceiver } from '#server/testing/otlp-receiver.ts';

const closers: (() => unknown)[] = [];
const closeAll = async () => {
  for (const close of closers.splice(0).reverse()) await close();
};

/** Starts the application with traces, a log that the test can read, and the job queue of production. */
const startRecordedApp = async () => {
  onTestFinished(closeAll);
  const receiver = await startOtlpReceiver();
  closers.push(receiver.close);
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.url);
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
  closers.push(() => vi.unstubAllEnvs());
  const warnings: string[] = [];
  const stopTracing = await startTracing(process.env, (message) => void warnings.push(message));
  closers.push(stopTracing);
  const lines: string[] = [];
  const logger = createLog({ write: (line) => void lines.push(line) });
  const database = await createTestDatabase();
  const sql = openDatabase(database.url, { max: 5 });
  const jobs = await openServerJobQueue(database.url, logger);
  const testApp = await startTestApp({ replace: { sql, jobs, logger } });
  closers.push(database.drop, sql.end, testApp.close, jobs.stop);
  return { receiver, stopTracing, warnings, lines, jobs, testApp };
};

test('one trace leads from a request to its statements and the jobs that it queues, and its id is in the response', async () => {
  const { receiver, stopTracing, warnings, jobs, testApp } = await startRecordedApp();
  const seller = await testApp.signIn({ fullName: 'Xanthippe Quirk' });
  const { listing } = (await submitListingForm(testApp, seller, { title: 'Embarrassing lamp' })).body;
  const { statusCode, headers } = await testApp.server.inject({
    method: 'PATCH',
    url: `/rest/v1/me/listings/${listing.id}`,
    headers: seller.headers,
    payload: { status: 'draft' },
  });
  expect(statusCode).toBe(200);
  const traceId = headers['x-request-id'];
  const countSettling = async () =>
    (await jobs.count()).filter(({ queue }) => queue === dealSettlingQueue.name).length;
  await expect.poll(countSettling, { timeout: 10_000 }).toBe(0);
  await closeAll();

  const spans = receiver.spans().filter((span) => span.traceId === traceId);
  const listChildren = (id: string | undefined) => spans.filter(({ parentId }) => parentId === id);
  const [request, ...others] = listChildren('');
  expect(others).toEqual([]);
  expect(request).toMatchObject({
    name: 'PATCH /rest/v1/me/listings/:id',
    attributes: { 'http.request.method': 'PATCH', 'http.response.status_code': '200' },
  });
  const statements = listChildren(request?.spanId);
  expect(statements.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['SELECT', 'BEGIN', 'INSERT', 'COMMIT']),
  );
  const job = spans.find(({ name }) => name === `process ${dealSettlingQueue.name}`);
  expect(job?.parentId).toBe(request?.spanId);
  expect(listChildren(job?.spanId).map(({ attributes }) => attributes['db.system.name'])).toContain(
    'postgresql',
  );
  expect(receiver.resource()).toMatchObject({
    'service.name': 'quad',
    'deployment.environment.name': 'test',
  });
  // Neither parameters nor paths are sent.
  for (const secret of ['Embarrassing lamp', 'embarrassing', 'Xanthippe', seller.email])
    expect(receiver.text()).not.toContain(secret);
  expect(warnings).toEqual([]);
  expect(isTracing()).toBe(false);
  await stopTracing();
});

test('the id of a trace names a failed request in its response and in the log', async () => {
  const { receiver, lines, testApp } = await startRecordedApp();
  const person = await testApp.signIn();
  await testApp.sql`ALTER TABLE users RENAME TO people`;
  const { statusCode, headers } = await testApp.server.inject({
    url: '/rest/v1/me?secret=1',
    headers: { ...person.headers, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  });
  await testApp.sql`ALTER TABLE people RENAME TO users`;
  const health = await testApp.server.inject({ url: '/healthz' });
  await closeAll();

  expect(statusCode).toBe(500);
  const traceId = headers['x-request-id'];
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(traceId).not.toBe('a'.repeat(32));
  const logged = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request failed');
  expect(logged).toMatchObject({ level: 'error', reqId: traceId, trace_id: traceId });
  const [request, statement] = receiver
    .spans()
    .filter((span) => span.traceId === traceId && span.attributes['error.type'])
    .sort((a, b) => a.parentId.length - b.parentId.length);
  expect(request?.attributes).toMatchObject({ 'http.route': '/rest/v1/me', 'error.type': '500' });
  expect(statement?.attributes).toMatchObject({ 'error.type': '42P01' });
  expect(health.headers['x-request-id']).toMatch(/^[0-9a-f]{10}-[0-9a-z]+$/);
});

test.each([
  [{ OTEL_TRACES_SAMPLER: 'often' }, 'OTEL_TRACES_SAMPLER'],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER'],
])('refuses %o', async (environment, name) => {
  const asked = startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...environment }, () => {});
  await expect(asked).rejects.toThrow(`Wrong configuration: ${name}`);
});

test('variables that are empty count as not set', async () => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: '',
    OTEL_TRACES_EXPORTER: '',
    OTEL_TRACES_SAMPLER: '',
    OTEL_TRACES_SAMPLER_ARG: '',
  };
  for (const sampler of ['', 'traceidratio']) {
    onTestFinished(await startTracing({ ...environment, OTEL_TRACES_SAMPLER: sampler }, () => {}));
    const findParent = async () => findTraceContext()?.traceparent;
    expect(await runInSpan({ name: 'work', kind: 'server', attributes: {} }, findParent)).toMatch(/-01$/);
  }
});

test.each([{}, { OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])(
  'nothing is recorded with %o',
  async (environment) => {
    const endpoint = 'OTEL_SDK_DISABLED' in environment ? 'http://127.0.0.1:9' : undefined;
    await startTracing({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, () => {});
    expect(isTracing()).toBe(false);
  },
);
