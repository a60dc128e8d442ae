import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

/** A rule that a page violates, with the HTML of the affected elements. */
type Violation = [rule: string, html: string[]];

/** The rules whose result depends on colors. All other rules give the same result in both themes. */
const colorRules = ['color-contrast', 'link-in-text-block'];

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Returns what axe finds on a page, or only in the element that `within` (a selector) names, with the default
 * rules or with those of `runOnly`. Loads axe once per document: this and the restriction to violations make
 * it four times as fast as @axe-core/playwright, which also searches the frames that this site does not have.
 */
export const runAxe = async (
  page: Page,
  { runOnly, within }: Pick<RunOptions, 'runOnly'> & { within?: string } = {},
): Promise<Violation[]> => {
  // Wait for transitions and animations to finish, because a dialog or a toast has other colors while it
  // appears. An animation may begin only in the next frame. The animation of a spinner never ends, so do not
  // wait for it.
  const isLoaded = await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const finite = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(finite.map(({ finished }) => finished));
    return 'axe' in window;
  });
  if (!isLoaded) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ context, options }) => {
      const { axe: loadedAxe } = window as unknown as { axe: typeof axe };
      const { violations } = await loadedAxe.run(context ?? document, options);
      return violations.map(({ id, nodes }): Violation => [id, nodes.map(({ html }) => html)]);
    },
    { context: within, options: { resultTypes: ['violations'], ...(runOnly && { runOnly }) } as RunOptions },
  );
};

/** Returns the violations of WCAG 2.2 AA that axe finds on a page in its current theme. */
export const listViolations = (page: Page, within?: string): Promise<Violation[]> =>
  runAxe(page, { runOnly: wcagTags, ...(within && { within }) });

/** Returns the violations of color rules on a page in the dark theme. Leaves the page in the light theme. */
export const listViolationsInDarkTheme = async (page: Page, within?: string): Promise<Violation[]> => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const violations = await runAxe(page, { runOnly: colorRules, ...(within && { within }) });
  await page.emulateMedia({ colorScheme: 'light' });
  return violations;
};

/**
 * Returns the violations of WCAG 2.2 AA that axe finds on a page in the light and in the dark theme.
 * Leaves the page in the light theme.
 */
export const listViolationsInBothThemes = async (
  page: Page,
): Promise<{ light: Violation[]; dark: Violation[] }> => {
  const dark = await listViolationsInDarkTheme(page);
  return { light: await listViolations(page), dark };
};
