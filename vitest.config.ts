import { defineConfig } from 'vitest/config';

const project = (name: string, globalSetup: string[] = []) => ({
  extends: true as const,
  test: { name, include: [`${name}/**/*.test.{ts,tsx,mjs}`], globalSetup },
});

export default defineConfig({
  test: {
    setupFiles: ['server/testing/strictness.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    teardownTimeout: 20_000,
    // Only tests below server/ and bench/ need the database; the others start without waiting for it.
    projects: [
      project('contract'),
      project('web'),
      project('tools'),
      project('server', ['server/testing/global-setup.ts']),
      project('bench', ['server/testing/global-setup.ts']),
    ],
  },
});
