import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Returns the violations of WCAG 2.2 AA that axe finds on a page: each rule with the HTML of the
 * affected elements.
 */
export const listViolations = async (page: Page): Promise<[rule: string, html: string[]][]> => {
  // Wait for transitions and animations to finish: during a change of theme or while a dialog or a toast
  // appears, the page shows colors in between. They may only begin with the next frame. The animation
  // of a spinner never ends.
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const finite = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
  const { violations } = await new AxeBuilder({ page })
    // By default, axe opens an extra page for each analysis to support cross-origin frames, which
    // this site does not use.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
};
