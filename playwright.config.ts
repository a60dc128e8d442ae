import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { prepareBrowser } from './tools/browser.ts';

/** These files test time limits, killed processes and full disks, so no other test may run at the same time. */
const exclusiveFiles = ['faults/**/*.spec.ts', 'dev.spec.ts'];

/** Test files start their own servers, each with its own data folder (see e2e/support/quad.ts). */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  globalSetup: './e2e/support/shared-folder.ts',
  // One more than the number of cores, because a journey spends about half of its time waiting.
  workers: Math.min(availableParallelism() + 1, 4),
  projects: [
    { name: 'journeys', testMatch: '**/*.spec.ts', testIgnore: exclusiveFiles },
    // `npm test` runs this project after the journeys have ended.
    { name: 'faults', testMatch: exclusiveFiles, workers: 1 },
  ],
  timeout: 120_000,
  // A generous timeout, because tests also run on slow, shared machines.
  expect: { timeout: 20_000 },
  globalTimeout: 30 * 60_000,
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    // A service worker would answer requests that a test expects at the server; offline.spec.ts allows it.
    serviceWorkers: 'block',
    headless: true,
    actionTimeout: 20_000,
    launchOptions: await prepareBrowser(),
    screenshot: 'only-on-failure',
    // Recording a trace costs as much CPU as the journey; use `--trace=retain-on-failure` to investigate one.
    trace: 'off',
  },
});
