import axe, { type RunOptions } from 'axe-core';

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules whose result depends on colors. All other rules give the same result in both themes. */
const colorRules = ['color-contrast', 'link-in-text-block'];

const runAxe = async (runOnly: RunOptions['runOnly']): Promise<string[]> => {
  // Toasts and dialogs have other colors while they appear, and an animation may begin only in the next frame.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await Promise.allSettled(
    document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      .map(({ finished }) => finished),
  );
  const { violations } = await axe.run('main', { resultTypes: ['violations'], ...(runOnly && { runOnly }) });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** Returns the violations of WCAG 2.2 AA that axe finds within <main>, in the light and in the dark theme. */
export const listViolations = async (): Promise<string[]> => {
  const { dataset } = document.documentElement;
  dataset.theme = 'dark';
  const dark = await runAxe(colorRules);
  dataset.theme = 'light';
  const light = await runAxe(wcagTags);
  delete dataset.theme;
  return [...light, ...dark];
};
