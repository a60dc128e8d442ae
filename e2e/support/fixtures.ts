import { test as base } from '@playwright/test';
import { type Quad, startQuad } from './quad.ts';

/** Provides one server per Playwright worker. Test files share it, so each test must create its own users. */
export const test = base.extend<object, { quad: Quad }>({
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

let counter = 0;

/** Returns an email address that this worker has not used yet. */
export const newAddress = (name: string, domain = 'usc.edu'): string => {
  counter += 1;
  return `${name}.${counter}@${domain}`;
};
