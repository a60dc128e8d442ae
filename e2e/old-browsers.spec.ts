import { expect } from '@playwright/test';
import { test } from './support/fixtures.ts';

test('a browser older than those of the README shows a notice on every page, and a newer one none', async ({
  browser,
  quad,
}) => {
  const context = await browser.newContext({ baseURL: quad.url, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const notice = page.getByText('This browser is too old for Quad. Please update it or use another one.');
  await page.goto('/');
  await expect(page.getByRole('main')).toBeVisible();
  await expect(notice).toBeHidden();

  await context.addInitScript(() => Reflect.deleteProperty(CSS, 'registerProperty'));
  for (const path of ['/', '/login']) {
    await page.goto(path);
    await expect(notice).toBeInViewport();
  }
  await context.close();
});
