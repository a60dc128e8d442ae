import { expect } from '@playwright/test';
import { listViolations } from '../support/axe.ts';
import { createUniqueEmailAddress } from '../support/fixtures.ts';
import { defaultPassword } from '../support/sign-in.ts';
import { openSignedInBrowser, signUp } from '../support/students.ts';
import { test } from './screen.ts';

test('a person sees where they are logged in, and logs out another device, which notices within seconds', async ({
  browser,
  quad,
}) => {
  const student = await signUp(quad, 'Sally Sessions', createUniqueEmailAddress('sally'));
  const here = await openSignedInBrowser(browser, quad, student, { viewport: { width: 360, height: 740 } });
  const elsewhere = await browser.newContext({
    baseURL: quad.url,
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  });
  const phone = await elsewhere.newPage();
  await phone.goto('/login?from=%2Fmessages');
  await phone.getByRole('textbox', { name: 'Email', exact: true }).fill(student.email);
  await phone.getByRole('textbox', { name: 'Password', exact: true }).fill(defaultPassword);
  await phone.getByRole('button', { name: 'Log In', exact: true }).click();
  await expect(phone).toHaveURL(/\/messages$/);
  await expect(phone.getByText('No conversations yet')).toBeVisible();

  const page = await here.newPage();
  await page.goto('/profile?tab=settings');
  const list = page.getByRole('list', { name: 'Where you are logged in' });
  await expect(list.getByRole('listitem').first()).toContainText('This device');
  await expect(list.getByText('Chrome on Android')).toBeVisible();
  expect(await listViolations(page)).toEqual([]);
  await list.getByRole('button', { name: 'Log out Chrome on Android' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Log out Chrome on Android?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list.getByText('Chrome on Android')).toBeVisible();
  await list.getByRole('button', { name: 'Log out Chrome on Android' }).click();
  await dialog.getByRole('button', { name: 'Log out' }).click();
  await expect(list.getByText('Chrome on Android')).toHaveCount(0);
  await expect(phone).toHaveURL(/\/$/, { timeout: 5000 });
  await expect(list.getByText('This device')).toBeVisible();
  await here.close();
  await elsewhere.close();
});
