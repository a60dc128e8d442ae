import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { prepareBrowser } from './tools/browser.ts';

/** Whether the server's responses are delayed (`npm run test:late`). */
const isLate = process.env.LATE_MS !== undefined;

/** These files run only in `npm run test:full`. */
const longFiles = process.env.TEST_FULL ? [] : ['**/*.long.spec.ts'];

/** These files test time limits, killed processes and full disks, so no other test may run at the same time. */
const exclusiveFiles = ['faults/**/*.spec.ts', 'dev.long.spec.ts'];

/**
 * These tests run against servers that the test files start, each with its own data folder (see
 * e2e/support/quad-server.ts).
 */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/shared-folder.ts',
  // One browser per processor core: a browser keeps a core busy, and a third one on two cores would only make each
  // test slower (docs/testing.md).
  workers: Math.min(availableParallelism(), 4),
  projects: [
    // A run begins by deleting its output folder. With a shared folder, the run of the second project would
    // delete the results of the first.
    {
      name: 'journeys',
      outputDir: 'test-results/journeys',
      testMatch: '**/*.spec.ts',
      testIgnore: [...exclusiveFiles, ...longFiles],
    },
    // `npm test` runs the project `faults` only after the project `journeys` has ended.
    {
      name: 'faults',
      outputDir: 'test-results/faults',
      testMatch: exclusiveFiles,
      testIgnore: longFiles,
      workers: 1,
    },
  ],
  timeout: isLate ? 400_000 : 120_000,
  // This timeout of assertions is generous, because tests also run on slow, shared machines.
  expect: { timeout: 20_000 },
  globalTimeout: (isLate ? 90 : 30) * 60_000,
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    // Service workers are blocked, because they would handle requests that tests expect the server to
    // receive. Only offline.spec.ts and push.spec.ts allow them.
    serviceWorkers: 'block',
    headless: true,
    actionTimeout: 20_000,
    launchOptions: await prepareBrowser(),
    screenshot: 'only-on-failure',
    // Recording a trace costs as much CPU as the test itself. Use `--trace=retain-on-failure` to
    // investigate a failing test.
    trace: 'off',
  },
});
