import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createDisabledMailer } from '#server/mail/mailer.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { openSearchDatabase } from '#server/platform/postgres/search-database.ts';
import { noRateLimits } from '#server/platform/rate-limits.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { type AppDeps, buildApp } from '#server/start/http-server.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { createTestJobs } from '#server/testing/jobs.ts';

const cleanupCallbacks: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of cleanupCallbacks.splice(0).reverse()) await close();
});

/**
 * Returns real dependencies for the app, and running counts of the SQL statements, bus
 * subscriptions, jobs and bus messages that pass through them.
 */
const createDeps = async () => {
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
  const deps: AppDeps = {
    config: readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, MAIL: 'off' }),
    sql,
    runSearch: search.run,
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
    jobs: {
      ...jobs,
      work: async (queue, handler) => {
        done.jobs.push(queue.name);
        await jobs.work(queue, handler);
      },
      repeat: async (name, cron, handler) => {
        done.jobs.push(name);
        await jobs.repeat(name, cron, handler);
      },
    },
    mailer: createDisabledMailer(),
    files: createDiskFileStore({ root: join(dataDir, 'files') }),
    images,
    rateLimits: noRateLimits,
    log: undefined,
    pages: {
      renderPage: async () => new Response('<p>Hello</p>'),
      renderOfflinePage: () => '',
      findCacheKey: () => undefined,
      worker: '',
    },
  };
  return { deps, done };
};

const noSideEffects = { statements: 0, subscriptions: 0, jobs: [], published: 0 };

test('building the app twice starts no timer, job, connection or subscription', async () => {
  const { deps, done } = await createDeps();
  const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
  const listeners = process.eventNames().map((name) => process.listenerCount(name));
  const resources = process.getActiveResourcesInfo();
  const apps = [buildApp(deps), buildApp(deps)];
  expect(process.getActiveResourcesInfo()).toEqual(resources);
  expect(process.eventNames().map((name) => process.listenerCount(name))).toEqual(listeners);
  for (const timer of timers) expect(timer).not.toHaveBeenCalled();
  expect(done).toEqual(noSideEffects);
  vi.restoreAllMocks();
  for (const app of apps) await app.close();
  expect(done.subscriptions).toBe(0);
});

test('the app starts its jobs and subscriptions when it is ready, and ends them when it closes', async () => {
  const { deps, done } = await createDeps();
  const app = buildApp(deps);
  await app.ready();
  expect(done.subscriptions).toBeGreaterThan(0);
  expect(done.jobs).toEqual(expect.arrayContaining(['remove-files', 'remove-overdue', 'tell-of-unread']));
  expect(new Set(done.jobs).size).toBe(done.jobs.length);
  await app.close();
  expect(done.subscriptions).toBe(0);
});
