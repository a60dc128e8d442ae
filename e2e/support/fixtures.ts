import { type QuadServer, startQuad } from './quad-server.ts';
import { test as base } from './test.ts';

/** Provides one server per Playwright worker. Test files share it, so each test must create its own users. */
export const test = base.extend<object, { quad: QuadServer }>({
  quad: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
    async ({}, use) => {
      const quad = await startQuad();
      await use(quad);
      await quad.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ quad }, use) => use(quad.url),
});

let emailAddressCount = 0;

/** Returns an email address that this worker has not used yet. */
export const createUniqueEmailAddress = (name: string, domain = 'usc.edu'): string => {
  emailAddressCount += 1;
  return `${name}.${emailAddressCount}@${domain}`;
};
