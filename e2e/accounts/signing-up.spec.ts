import { expect } from '@playwright/test';
import { createUniqueEmailAddress, test } from '../support/fixtures.ts';
import { takeVerificationCode } from '../support/mail-server.ts';
import { defaultPassword, fillSignUp } from '../support/sign-in.ts';

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

test('on a phone, a person signs up, completes the profile and earns the badge with a campus address', async ({
  page,
  context,
  quad,
}) => {
  const person = {
    name: 'Gina Gmail',
    email: createUniqueEmailAddress('gina', 'home.example'),
    password: defaultPassword,
  };
  const campusAddress = createUniqueEmailAddress('gina');
  const code = page.getByLabel('Verification code');

  await test.step('a private screen leads to the sign-up form, which a reload does not empty', async () => {
    await page.goto('/my-listings?tab=drafts');
    await expect(page).toHaveURL(/\/login\?from=%2Fmy-listings%3Ftab%3Ddrafts$/);
    await page.getByRole('link', { name: 'Create an account' }).tap();
    await fillSignUp(page, person);
    // A phone may drop the tab while the person reads the email with the code.
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'Full name' })).toHaveValue(person.name);
    await expect(page.getByRole('textbox', { name: 'Password', exact: true })).toHaveValue('');
    await fillSignUp(page, person);
    await page.getByRole('button', { name: 'Create Account' }).tap();
  });

  await test.step('the emailed code opens the private screen', async () => {
    await expect(code).toBeFocused();
    await code.fill(await takeVerificationCode(quad.mail, person.email));
    await expect(page.getByText('Account verified successfully!')).toBeVisible();
    await expect(page).toHaveURL(/\/my-listings\?tab=drafts$/);
    // This cookie marks the browser as a known device of the account.
    expect(await context.cookies()).toMatchObject([
      { name: 'quad-device', httpOnly: true, sameSite: 'Strict', path: '/' },
    ]);
  });

  await test.step('the profile of a new account begins with its set-up', async () => {
    await page.goto('/profile');
    await expect(page).toHaveURL(/\/profile-setup$/);
    await page.getByRole('radio', { name: /Student/ }).check();
    await page.getByRole('button', { name: 'Complete Setup' }).tap();
    await expect(page).toHaveURL(/\/profile$/);
  });

  await test.step('a campus address earns the badge, even if the page is reloaded before its code is entered', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).tap();
    await page.getByRole('link', { name: 'Campus address' }).tap();
    const section = page.getByRole('region', { name: 'Campus address' });
    await section.getByRole('textbox', { name: 'USC email' }).fill(campusAddress);
    await section.getByRole('button', { name: 'Send Code' }).tap();
    await expect(code).toBeFocused();
    const emailed = await takeVerificationCode(quad.mail, campusAddress);
    await page.reload();
    await expect(section.getByText(campusAddress)).toBeVisible();
    // A focused field opens a phone's on-screen keyboard.
    await expect(code).not.toBeFocused();
    await code.fill(emailed);
    await expect(page.getByText('Your USC address is verified')).toBeVisible();
    await expect(section.getByText('Verified', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Back to Settings' }).tap();
    await page.getByRole('link', { name: 'Back to the profile' }).tap();
    await expect(page.getByRole('main').getByText('Verified', { exact: true })).toBeVisible();
  });
});
