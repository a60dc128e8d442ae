import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import tailwindcss from '@tailwindcss/vite';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { prepareBrowser } from './tools/browser.ts';

/** Tests that replace a module need a process in which nobody has loaded it yet. */
const isolated = globSync('{contract,server,web}/**/*.test.{ts,tsx}').filter(
  (file) => !file.includes('.browser.test.') && readFileSync(file, 'utf8').includes('vi.mock('),
);

const withDatabase = { globalSetup: ['server/testing/global-setup.ts'] };
/** Files share a process, because loading the application takes longer than running most of them. */
const shared = { isolate: false, exclude: [...isolated, '**/*.browser.test.tsx'] };

const project = (name: string, options: object, ...more: string[]) => ({
  extends: true as const,
  test: { name, include: [`${name}/**/*.test.{ts,tsx,mjs}`, ...more], ...options },
});

const isServer = (file: string): boolean => file.startsWith('server/');

/** Tests of components, in the browser that the journeys use. Without one only these tests fail. */
const components = {
  extends: true as const,
  plugins: [tailwindcss()],
  // A dependency that is found late reloads the page in the middle of a test, so all are looked for at every start.
  optimizeDeps: { entries: ['web/**/*.browser.test.tsx'], force: true },
  test: {
    name: 'components',
    include: ['web/**/*.browser.test.tsx'],
    setupFiles: ['web/testing/page.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: await prepareBrowser().catch(() => ({})) }),
      instances: [{ browser: 'chromium' as const, viewport: { width: 800, height: 600 } }],
    },
  },
};

export default defineConfig({
  test: {
    setupFiles: ['server/testing/strictness.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    teardownTimeout: 20_000,
    // The default leaves one core free, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    // Only tests below server/ and bench/ need the database; the others start without waiting for it.
    projects: [
      project('contract', shared),
      project('web', shared),
      components,
      project('server', { ...withDatabase, ...shared }),
      project('tools', {}, ...isolated.filter((file) => !isServer(file))),
      project('bench', withDatabase, ...isolated.filter(isServer)),
    ],
  },
});
