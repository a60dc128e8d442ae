import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** A rule that a page violates, with the HTML of the affected elements. */
type Violation = [rule: string, html: string[]];

/** The rules whose result depends on colors. All other rules give the same result in both themes. */
const colorRules = ['color-contrast', 'link-in-text-block'];

const createAxe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page })
    // By default, axe opens an extra page for each analysis to support cross-origin frames, which
    // this site does not use.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);

const analyze = async (page: Page, axe: AxeBuilder): Promise<Violation[]> => {
  // Wait for transitions and animations to finish, because a dialog or a toast has other colors while it
  // appears. An animation may begin only in the next frame. The animation of a spinner never ends, so do not
  // wait for it.
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const finite = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
};

/** Returns the violations of WCAG 2.2 AA that axe finds on a page in its current theme. */
export const listViolations = (page: Page): Promise<Violation[]> => analyze(page, createAxe(page));

/**
 * Returns the violations of WCAG 2.2 AA that axe finds on a page in the light and in the dark theme.
 * Leaves the page in the light theme.
 */
export const listViolationsInBothThemes = async (
  page: Page,
): Promise<{ light: Violation[]; dark: Violation[] }> => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await analyze(page, createAxe(page).withRules(colorRules));
  await page.emulateMedia({ colorScheme: 'light' });
  return { light: await listViolations(page), dark };
};

/** What `listViolationsInBothThemes` returns for a page without violations. */
export const noViolationsInBothThemes = { light: [], dark: [] };
