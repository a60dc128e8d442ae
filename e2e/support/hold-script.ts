import type { Page } from '@playwright/test';
import { intercept } from './test.ts';

/** Returns the pattern of the URLs of a script, whatever its content. */
export const toScriptPattern = (script: string): string => `**/assets/${script}-*.js`;

/** Holds back the responses to requests for a script until the returned function is called. */
export const holdScript = async (page: Page, script: string): Promise<() => void> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await intercept(page, toScriptPattern(script), async (route) => {
    await released;
    await route.continue();
  });
  return release;
};
