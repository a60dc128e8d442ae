import { test as base } from '@playwright/test';
import { type Quad, startQuad } from './quad.ts';

/** One server for all test files that a worker runs. Other files use it too, so each test creates its own people. */
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

/** Returns an unused email address. */
export const newAddress = (name: string, domain = 'usc.edu'): string => {
  counter += 1;
  return `${name}.${counter}@${domain}`;
};
