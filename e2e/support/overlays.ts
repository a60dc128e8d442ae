import { expect, type Page } from '@playwright/test';

/** Waits until closing an overlay has returned the browser to the page's own history entry. */
export const waitForPageHistoryEntry = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => (history.state as { overlays?: number } | null)?.overlays))
    .toBe(undefined);
