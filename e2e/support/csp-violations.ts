import type { Page } from '@playwright/test';

declare global {
  interface Window {
    refusals: string[];
  }
}

/** Starts to record all Content-Security-Policy violations of each document that the page opens. */
export const recordCspViolations = (page: Page) =>
  page.addInitScript(() => {
    window.refusals = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      window.refusals.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });

export const getCspViolations = (page: Page): Promise<string[]> => page.evaluate(() => window.refusals);
