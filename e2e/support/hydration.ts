import type { Page } from '@playwright/test';

/** Waits until React handles the events of the page. Until then, its links load whole documents. */
export const waitForHydration = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith('__reactContainer')));
};
