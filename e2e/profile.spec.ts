import { expect } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { createPhotoFile } from './support/photos.ts';
import { createAccount, logIn } from './support/sign-in.ts';

test('a student sets up and edits their profile, changes settings and logs out everywhere', async ({
  page,
  context,
  quad,
}) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  const email = createUniqueEmailAddress('ada');
  await createAccount(quad, email);
  const session = await logIn(quad, email);
  await context.addInitScript((stored) => {
    if (!localStorage.getItem('test.arrived')) localStorage.setItem('quad.session', stored);
    localStorage.setItem('test.arrived', 'yes');
  }, session);
  const picture = page.getByRole('img', { name: 'Your profile picture' });
  const completion = page.getByRole('progressbar', { name: 'Profile completion' });

  await test.step('the set-up takes a picture, and leads to the profile', async () => {
    await page.goto('/profile-setup');
    await page
      .getByLabel('Choose a profile picture')
      .setInputFiles(await createPhotoFile('me.jpg', { r: 190, g: 120, b: 90 }));
    await page.getByRole('slider', { name: 'Zoom' }).fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Use Photo' }).click();
    await expect(page.getByText('Avatar uploaded successfully')).toBeVisible();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await page.getByRole('radio', { name: /Student/ }).check();
    await page.getByRole('button', { name: 'Complete Setup' }).click();
    await expect(page.getByText('Profile created')).toBeVisible();
    await expect(page).toHaveURL(/\/profile$/);
    await expect(page.getByRole('main').getByText('Verified', { exact: true })).toBeVisible();
    await expect(page.getByRole('main').getByText(email, { exact: true })).toBeVisible();
    await expect(completion).toHaveAttribute('aria-valuenow', '85');
    await expect(page.getByRole('link', { name: 'Create Your First Listing' })).toBeVisible();
  });

  await test.step('the header follows the editor at once', async () => {
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByLabel('Role').selectOption('Alumni');
    await page.getByLabel('Bio').fill('Mathematics.\nOn campus on Fridays.');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page).toHaveURL(/\/profile$/);
    await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Account menu of Ada Lovelace' })).toBeVisible();
    await expect(page.getByText('Alumni', { exact: true })).toBeVisible();
    await expect(completion).toHaveAttribute('aria-valuenow', '100');
  });

  await test.step('the open tab and the settings survive a reload', async () => {
    await page.getByRole('tab', { name: 'Settings' }).click();
    await expect(page).toHaveURL(/\?tab=settings$/);
    const mails = page.getByRole('checkbox', { name: 'Messages: Email' });
    const fullName = page.getByRole('switch', { name: 'Show my full name' });
    await mails.click();
    await expect(page.getByText('Settings saved')).toBeVisible();
    await page.reload();
    await expect(mails).not.toBeChecked();
    await page.getByRole('link', { name: 'Privacy', exact: true }).click();
    await fullName.click();
    await expect(page.getByText('Profile updated').first()).toBeVisible();
    await page.reload();
    await expect(fullName).not.toBeChecked();
    await page.goBack();
    await expect(mails).not.toBeChecked();
  });

  await test.step('a log-out everywhere ends the sessions of other devices', async () => {
    const { access_token } = JSON.parse(await logIn(quad, email));
    await page.getByRole('link', { name: 'Log-in and security' }).click();
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    const { status } = await fetch(`${quad.url}/rest/v1/me`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(status).toBe(401);
  });
  expect(errors).toEqual([]);
});
