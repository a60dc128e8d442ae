import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import tailwindcss from '@tailwindcss/vite';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { prepareBrowser } from './tools/browser.ts';

/**
 * Test files that mock a module (`vi.mock`). Each needs its own process, in which no other test has loaded
 * that module.
 */
const isolatedFiles = globSync('{contract,server,web}/**/*.test.{ts,tsx}').filter(
  (file) => !file.includes('.browser.test.') && readFileSync(file, 'utf8').includes('vi.mock('),
);

/** Files that run only in `npm run test:full`. */
const longFiles = process.env.TEST_FULL ? [] : ['**/*.long.test.ts'];

const databaseOptions = { globalSetup: ['server/testing/global-setup.ts'] };
/**
 * Options that let test files share processes, because loading the application takes longer than running most
 * files.
 */
const sharedProcessOptions = {
  isolate: false,
  exclude: [...isolatedFiles, ...longFiles, '**/*.browser.test.tsx'],
  setupFiles: ['server/testing/property-seed.ts'],
};

const createProject = (name: string, options: object, ...more: string[]) => ({
  extends: true as const,
  test: { name, include: [`${name}/**/*.test.{ts,tsx,mjs}`, ...more], ...options },
});

const isServerFile = (file: string): boolean => file.startsWith('server/');

/**
 * Component tests run in the same browser as the end-to-end tests (e2e/). If that browser cannot be
 * prepared, only the component tests fail.
 */
const componentTestProject = {
  extends: true as const,
  plugins: [tailwindcss()],
  // Vite reloads the page, even during a test, when it finds an imported package that it has not
  // bundled yet. It therefore scans all component tests for imported packages at every start.
  optimizeDeps: { entries: ['web/**/*.browser.test.tsx'], force: true },
  test: {
    name: 'components',
    include: ['web/**/*.browser.test.tsx'],
    setupFiles: ['web/testing/clock.ts', 'web/testing/load-styles.ts', 'web/testing/clear-storage.ts'],
    // The time at which each file begins (`web/testing/clock.ts`).
    env: { TEST_TIME: process.env.TEST_TIME ?? '2026-11-24T18:00:00Z' },
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
    setupFiles: ['server/testing/fail-on-console-error.ts'],
    // On a busy machine, tests and polled conditions can take much longer than usual.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 20_000 } },
    // One worker more than there are cores, because server tests wait for the database. By default Vitest
    // leaves one core unused, which is half of a machine with two cores.
    maxWorkers: availableParallelism() + 1,
    // Only tests in server/ and bench/ need the database; the other projects start without waiting for it.
    projects: [
      createProject('contract', sharedProcessOptions),
      createProject('web', sharedProcessOptions),
      componentTestProject,
      createProject('server', {
        ...databaseOptions,
        ...sharedProcessOptions,
        setupFiles: [...sharedProcessOptions.setupFiles, 'server/testing/cheap-passwords.ts'],
      }),
      createProject('tools', {}, ...isolatedFiles.filter((file) => !isServerFile(file))),
      createProject(
        'bench',
        { ...databaseOptions, exclude: longFiles },
        ...isolatedFiles.filter(isServerFile),
      ),
    ],
  },
});
