import { expect } from '@playwright/test';
import { listViolationsInBothThemes } from './support/axe.ts';
import { test } from './support/fixtures.ts';
import { openReadyPage } from './support/hydration.ts';

// tour.spec.ts runs axe on every screen. These tests check what it relies on.

test('the axe check finds a missing alternative text, and insufficient contrast in either theme', async ({
  page,
}) => {
  await page.setContent(`<!doctype html><html lang="en"><title>Violations</title>
    <style>p { color: #bbb; background: #fff }
      @media (prefers-color-scheme: dark) { p { color: #000 } i { color: #444; background: #000 } }</style>
    <main><img src="data:,"><p>Pale</p><i>Dim in the dark</i></main></html>`);
  const { light, dark } = await listViolationsInBothThemes(page);
  expect(light.map(([rule]) => rule)).toEqual(['color-contrast', 'image-alt']);
  expect(dark).toEqual([['color-contrast', ['<i>Dim in the dark</i>']]]);
});

test('with reduced motion, a new theme is shown at once, without a transition of any element', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openReadyPage(page, '/');
  const transitionCount = await page.evaluate(() => {
    const runningBefore = document.getAnimations().length;
    document.documentElement.style.color = 'rgb(1, 2, 3)';
    return document.getAnimations().length - runningBefore;
  });
  expect(transitionCount).toBe(0);
});
