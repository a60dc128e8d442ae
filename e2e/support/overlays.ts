import { expect, type Page } from '@playwright/test';

/** Waits until the browser is back at the page's own history entry, after an overlay was closed. */
export const waitForOverlayEntryLeft = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => (history.state as { overlays?: number } | null)?.overlays))
    .toBe(undefined);
