import { expect } from '@playwright/test';
import { grantRole } from '../support/console.ts';
import { createUniqueEmailAddress, test } from '../support/fixtures.ts';
import { openSignedInBrowser, signUp } from '../support/students.ts';

test('the console opens only for people with a role and a second factor, and nobody else loads its scripts', async ({
  browser,
  quad,
}) => {
  const mona = await signUp(quad, 'Mona Monroe', createUniqueEmailAddress('mona'));
  const context = await openSignedInBrowser(browser, quad, mona);
  const page = await context.newPage();
  const consoleScripts: string[] = [];
  page.on('request', (request) => {
    if (/\/assets\/console-console/.test(request.url())) consoleScripts.push(request.url());
  });
  const heading = page.getByRole('heading', { level: 1 });
  const accountMenu = page.getByRole('button', { name: /^Account menu/ });

  await page.goto('/moderation');
  await expect(heading).toHaveText('Oops! Page not found');
  await accountMenu.click();
  await expect(page.getByRole('menuitem', { name: 'Saved' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Moderation' })).toBeHidden();

  await grantRole(quad, mona, 'administrator', { secondFactor: false });
  await page.reload();
  await expect(heading).toHaveText('Two-step verification needed');
  await expect(page.getByRole('link', { name: 'Open Settings' })).toHaveAttribute(
    'href',
    '/profile?tab=settings&page=security',
  );
  expect(consoleScripts.filter((it) => !it.includes('sections'))).toEqual([]);

  await grantRole(quad, mona, 'moderator');
  await page.goto('/moderation/people');
  await expect(heading).toHaveText('Oops! Page not found');
  await accountMenu.click();
  await page.getByRole('menuitem', { name: 'Moderation' }).click();
  await expect(heading).toHaveText('Overview');
  await expect(page).toHaveTitle(/Moderation/);
  await expect(
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'People' }),
  ).toBeHidden();
  await context.close();
});
