import { expect, type Page } from '@playwright/test';

/**
 * Waits until the browser has gone back to the history entry of the page itself. Closing an overlay starts
 * this navigation.
 */
export const waitForPageHistoryEntry = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => (history.state as { overlays?: number } | null)?.overlays))
    .toBe(undefined);
