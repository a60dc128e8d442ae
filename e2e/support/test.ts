import { type BrowserContext, test as base, type Page, type Request, type Route } from '@playwright/test';

type UrlPattern = Parameters<Page['route']>[0];

interface Interception {
  pattern: UrlPattern;
  hasMatched: boolean;
}

let interceptions: Interception[] = [];

/**
 * Handles the requests of a page or context that match a pattern, like `page.route`. The running test fails if no
 * request matches, because it would then not test what it describes, unless `isOptional`: then the page makes the request
 * only if something else was late.
 */
export const intercept = async (
  target: Page | BrowserContext,
  pattern: UrlPattern,
  handle: (route: Route, request: Request) => unknown,
  { isOptional = false, ...options }: { times?: number; isOptional?: boolean } = {},
): Promise<void> => {
  const interception = { pattern, hasMatched: isOptional };
  interceptions.push(interception);
  await target.route(
    pattern,
    (route, request) => {
      interception.hasMatched = true;
      return handle(route, request);
    },
    options,
  );
};

/** The `test` function of all end-to-end tests. */
export const test = base.extend<{ matchedInterceptions: undefined }>({
  matchedInterceptions: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern.
    async ({}, use, testInfo) => {
      interceptions = [];
      await use(undefined);
      const unmatched = interceptions
        .filter(({ hasMatched }) => !hasMatched)
        .map(({ pattern }) => `${pattern}`);
      if (unmatched.length > 0 && testInfo.status === testInfo.expectedStatus)
        throw new Error(`No request matched ${unmatched.join(', ')}`);
    },
    { auto: true },
  ],
});
