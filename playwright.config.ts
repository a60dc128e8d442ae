import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { prepareBrowser } from './tools/browser.ts';

/** Time limits, killed processes and full disks are tested on a machine that does nothing else. */
const alone = ['faults/**/*.spec.ts', 'dev.spec.ts'];

/** Each file starts servers of its own, on a data folder of its own (see e2e/). */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  globalSetup: './e2e/support/shared-folder.ts',
  // One more than there are cores: a journey waits about half of its time.
  workers: Math.min(availableParallelism() + 1, 4),
  projects: [
    { name: 'journeys', testMatch: '**/*.spec.ts', testIgnore: alone },
    // `npm test` runs it when the journeys are over.
    { name: 'faults', testMatch: alone, workers: 1 },
  ],
  timeout: 120_000,
  // Machines are shared and noisy; what is expected comes, if later.
  expect: { timeout: 20_000 },
  globalTimeout: 30 * 60_000,
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    // A worker between page and server would answer what a test wants to see asked; offline.spec.ts lets it.
    serviceWorkers: 'block',
    headless: true,
    actionTimeout: 20_000,
    launchOptions: await prepareBrowser(),
    screenshot: 'only-on-failure',
    // Recording takes as much of the machine as the journey itself; `--trace=retain-on-failure` when one is looked into.
    trace: 'off',
  },
});
