import type { Page } from '@playwright/test';

/** Returns the local-storage keys, and the names of caches with files, in which forms have saved data in this browser. */
export const listSavedNames = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = Object.keys(localStorage);
    // An empty cache stays until the next visit.
    for (const name of await caches.keys())
      if ((await (await caches.open(name)).keys()).length > 0) names.push(name);
    return names.filter((name) => name.startsWith('quad.saved.'));
  });
