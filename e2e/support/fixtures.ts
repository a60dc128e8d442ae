import { startDemoServer } from './demo.ts';
import { type QuadServer, startQuad } from './quad-server.ts';
import { test as base } from './test.ts';

/**
 * Provides servers that the test files of a Playwright worker share: `quad` is empty, so each test must create its own
 * users; `demo` has the demo campus, which no test may change in a way that others notice.
 */
export const test = base.extend<object, { quad: QuadServer; demo: QuadServer }>({
  quad: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
    async ({}, use) => {
      const quad = await startQuad();
      await use(quad);
      await quad.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
    async ({}, use) => {
      const demo = await startDemoServer();
      await use(demo);
      await demo.stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: ({ quad }, use) => use(quad.url),
});

let emailAddressCount = 0;

/** Returns an email address that this worker has not used yet. */
export const createUniqueEmailAddress = (name: string, domain = 'usc.edu'): string => {
  emailAddressCount += 1;
  return `${name}.${emailAddressCount}@${domain}`;
};
