import type { Page } from '@playwright/test';

/**
 * Starts to record which elements of `<main>` move without user input, on each page that is loaded
 * afterwards.
 */
export const recordLayoutShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifted: string[] = [];
    Object.assign(window, { shifted });
    new PerformanceObserver((list) => {
      const entries = list.getEntries() as never as {
        hadRecentInput: boolean;
        sources: { node: Node | null }[];
      }[];
      for (const { hadRecentInput, sources } of entries) {
        for (const { node } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          if (!hadRecentInput && element?.closest('main')) shifted.push(element.outerHTML.slice(0, 200));
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

/**
 * Returns the first 200 characters of the HTML of each element that has moved on the current page.
 */
export const listShiftedElements = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as never as { shifted: string[] }).shifted);
