import { expect, type Page } from '@playwright/test';

/**
 * Closing an overlay goes back in the browser history; waits until the browser has reached the page's own
 * history entry.
 */
export const waitForPageHistoryEntry = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => (history.state as { overlays?: number } | null)?.overlays))
    .toBe(undefined);
