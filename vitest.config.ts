import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that replace a module need a process in which nobody has loaded it yet. */
const isolated = globSync('{contract,server,web}/**/*.test.{ts,tsx}').filter((file) =>
  readFileSync(file, 'utf8').includes('vi.mock('),
);

const withDatabase = { globalSetup: ['server/testing/global-setup.ts'] };
/** Files share a process, because loading the application takes longer than running most of them. */
const shared = { isolate: false, exclude: isolated };

const project = (name: string, options: object, ...more: string[]) => ({
  extends: true as const,
  test: { name, include: [`${name}/**/*.test.{ts,tsx,mjs}`, ...more], ...options },
});

const isServer = (file: string): boolean => file.startsWith('server/');

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
      project('server', { ...withDatabase, ...shared }),
      project('tools', {}, ...isolated.filter((file) => !isServer(file))),
      project('bench', withDatabase, ...isolated.filter(isServer)),
    ],
  },
});
