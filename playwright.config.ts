import { defineConfig } from '@playwright/test';
import { prepareBrowser } from './tools/browser.ts';

/** Journeys start their own server, on a data folder of their own (see e2e/). */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/browser',
  workers: 1,
  timeout: 120_000,
  // Machines are shared and noisy; what is expected comes, if later.
  expect: { timeout: 10_000 },
  globalTimeout: 30 * 60_000,
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    // A worker between page and server would answer what a test wants to see asked; offline.spec.ts lets it.
    serviceWorkers: 'block',
    headless: true,
    actionTimeout: 15_000,
    launchOptions: await prepareBrowser(),
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
});
