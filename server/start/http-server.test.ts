import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createApp } from '#server/create-app.ts';
import { disabledMailer } from '#server/mail/outbox.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import { noRateLimits } from '#server/platform/no-rate-limits.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { openSearchDatabase } from '#server/platform/postgres/search-database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { buildServer } from '#server/start/http-server.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { createTestJobs } from '#server/testing/jobs.ts';

const cleanupCallbacks: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of cleanupCallbacks.splice(0).reverse()) await close();
});

/**
 * Returns a function that builds the server of a real App, and running counts of the SQL statements, bus
 * subscriptions, jobs and bus messages that pass through them.
 */
const createCountingApp = async () => {
  const database = await createTestDatabase();
  cleanupCallbacks.push(database.drop);
  const dataDir = await mkdtemp(join(tmpdir(), 'quad-app-'));
  cleanupCallbacks.push(() => rm(dataDir, { recursive: true }));
  const done = { statements: 0, subscriptions: 0, jobs: [] as string[], published: 0 };
  const onStatement = () => {
    done.statements += 1;
  };
  const sql = openDatabase(database.url, { max: 2, onStatement });
  const search = openSearchDatabase(database.url, { max: 1, onStatement });
  const images = createImageProcessor();
  cleanupCallbacks.push(
    () => sql.end(),
    () => search.sql.end(),
    images.close,
  );
  const bus = createInProcessBus();
  const clock = createTestClock();
  const jobs = createTestJobs(sql, clock);
  const countingJobs: JobQueue = {
    ...jobs,
    work: async (queue, handler) => {
      done.jobs.push(queue.name);
      await jobs.work(queue, handler);
    },
    repeat: async (name, cron, handler) => {
      done.jobs.push(name);
      await jobs.repeat(name, cron, handler);
    },
  };
  const app = createApp({
    config: readConfig({ NODE_ENV: 'test', QUAD_DATA_DIR: dataDir, QUAD_MAIL: 'off' }),
    sql,
    search: search.run,
    clock,
    secrets: generateSecrets(),
    bus: {
      ...bus,
      subscribe: (...listeners) => {
        const unsubscribe = bus.subscribe(...listeners);
        done.subscriptions += 1;
        return () => {
          done.subscriptions -= 1;
          unsubscribe();
        };
      },
      publish: async (announcement) => {
        done.published += 1;
        await bus.publish(announcement);
      },
    },
    jobs: countingJobs,
    mail: disabledMailer,
    files: createDiskFileStore({ root: join(dataDir, 'files') }),
    images,
    limits: noRateLimits,
    log: silentLog,
  });
  const pages = {
    renderPage: async () => new Response('<p>Hello</p>'),
    renderOfflinePage: () => '',
    findCacheKey: () => undefined,
    worker: '',
  };
  return { build: () => buildServer(app, { jobs: countingJobs, pages }), done };
};

const noSideEffects = { statements: 0, subscriptions: 0, jobs: [], published: 0 };

test('building the server twice starts no timer, job, connection or subscription', async () => {
  const { build, done } = await createCountingApp();
  const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
  const listeners = process.eventNames().map((name) => process.listenerCount(name));
  const resources = process.getActiveResourcesInfo();
  const servers = [build(), build()];
  expect(process.getActiveResourcesInfo()).toEqual(resources);
  expect(process.eventNames().map((name) => process.listenerCount(name))).toEqual(listeners);
  for (const timer of timers) expect(timer).not.toHaveBeenCalled();
  expect(done).toEqual(noSideEffects);
  vi.restoreAllMocks();
  for (const server of servers) await server.close();
  expect(done.subscriptions).toBe(0);
});

test('the server starts its jobs and subscriptions when it is ready, and ends them when it closes', async () => {
  const { build, done } = await createCountingApp();
  const server = build();
  await server.ready();
  expect(done.subscriptions).toBeGreaterThan(0);
  expect(done.jobs).toEqual(expect.arrayContaining(['remove-files', 'remove-overdue', 'queue-unread-mail']));
  expect(new Set(done.jobs).size).toBe(done.jobs.length);
  await server.close();
  expect(done.subscriptions).toBe(0);
});
