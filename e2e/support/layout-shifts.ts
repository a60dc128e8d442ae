import type { BrowserContext, Page } from '@playwright/test';
import { intercept } from './test.ts';

/**
 * Fulfills requests for the font with an empty file. The font moves text when it arrives after the first paint, which on a
 * busy machine can be any visit, so tests that measure layout shifts do without it.
 */
export const withholdFont = (target: Page | BrowserContext): Promise<void> =>
  intercept(target, '**/*.woff2', (route) => route.fulfill({ contentType: 'font/woff2', body: '' }));

/**
 * Starts to record which elements of `<main>` move without user input, on each page that is loaded
 * afterwards, by default without its font. A test of a page with its font calls `forgetShiftsOfFont`.
 */
export const recordLayoutShifts = async (page: Page, { hasFont = false } = {}): Promise<void> => {
  if (!hasFont) await withholdFont(page);
  await page.addInitScript(() => {
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
};

/**
 * Returns the first 200 characters of the HTML of each element that has moved on the current page.
 */
export const listShiftedElements = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as never as { shifted: string[] }).shifted);

/** Waits until the page shows its text in its font, and forgets what moved until then. */
export const forgetShiftsOfFont = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await document.fonts.load('1em "Figtree Variable"');
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    (window as never as { shifted: string[] }).shifted.length = 0;
  });
