import { test as base } from '@playwright/test';
import { type Quad, startQuad } from './quad.ts';

/** One server for all files that a worker runs: what is in it may be of others, so everybody brings people of their own. */
export const test = base.extend<object, { quad: Quad }>({
  quad: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs.
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

/** An address that nobody has. */
export const newAddress = (name: string, domain = 'usc.edu'): string => {
  counter += 1;
  return `${name}.${counter}@${domain}`;
};
