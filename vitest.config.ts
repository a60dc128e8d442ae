import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import tailwindcss from '@tailwindcss/vite';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { prepareBrowser } from './tools/browser.ts';

/** Tests that mock a module (`vi.mock`) need their own process, in which no other test has loaded that module. */
const isolatedFiles = globSync('{contract,server,web}/**/*.test.{ts,tsx}').filter(
  (file) => !file.includes('.browser.test.') && readFileSync(file, 'utf8').includes('vi.mock('),
);

const withDatabase = { globalSetup: ['server/testing/global-setup.ts'] };
/** Test files share processes, because loading the application takes longer than running most files. */
const sharedProcess = { isolate: false, exclude: [...isolatedFiles, '**/*.browser.test.tsx'] };

const createProject = (name: string, options: object, ...more: string[]) => ({
  extends: true as const,
  test: { name, include: [`${name}/**/*.test.{ts,tsx,mjs}`, ...more], ...options },
});

const isServerFile = (file: string): boolean => file.startsWith('server/');

/** Component tests run in the same browser as the journeys. If no browser can be prepared, only these tests fail. */
const componentTests = {
  extends: true as const,
  plugins: [tailwindcss()],
  // Vite reloads the page when it discovers a dependency late, even during a test, so it scans for all at every start.
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
    // The default leaves one core unused, which would be half of a machine with two cores.
    maxWorkers: availableParallelism(),
    // Only tests in server/ and bench/ need the database; the other projects start without waiting for it.
    projects: [
      createProject('contract', sharedProcess),
      createProject('web', sharedProcess),
      componentTests,
      createProject('server', { ...withDatabase, ...sharedProcess }),
      createProject('tools', {}, ...isolatedFiles.filter((file) => !isServerFile(file))),
      createProject('bench', withDatabase, ...isolatedFiles.filter(isServerFile)),
    ],
  },
});
