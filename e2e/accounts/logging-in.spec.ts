import { expect } from '@playwright/test';
import { createUniqueEmailAddress, test } from '../support/fixtures.ts';
import { defaultPassword, signUpWithoutConfirming } from '../support/sign-in.ts';
import { intercept } from '../support/test.ts';

test('promise 45: if someone else signed up with an address, its owner logs in by code, sets a password and can reset it', async ({
  page,
  quad,
}) => {
  const email = createUniqueEmailAddress('prey');
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const accountMenu = button('Account menu of Olive Owner');
  const logIn = async (password: string) => {
    await field('Email').fill(email);
    await field('Password').fill(password);
    await button('Log In').click();
  };
  const strangersCode = await signUpWithoutConfirming(quad, email);

  await test.step('the code of the owner confirms neither the name nor the password of the stranger', async () => {
    // The server sends no second code within 30 seconds after the sign-up, so the test logs in with the code
    // from the sign-up email.
    await intercept(page, '**/functions/v1/send-otp', (route) => route.fulfill({ json: { success: true } }));
    await page.goto('/login?from=%2Fmy-listings');
    await field('Email').fill(email);
    await button('Email me a code').click();
    await page.getByLabel('Verification code').fill(strangersCode);
    await expect(page).toHaveURL(/\/profile-setup\?from=%2Fmy-listings$/);
    await expect(field('Full name')).toHaveValue('');
    await expect(page.getByText('Your account has no password yet.')).toBeVisible();
    await field('Full name').fill('Olive Owner');
    await page.getByRole('radio', { name: /Student/ }).check();
    await field('Password').fill('Password1');
    await button('Complete Setup').click();
    await expect(page.getByText('This password is too common and easy to guess')).toBeVisible();
    await expect(field('Password')).toBeFocused();
    await field('Password').fill('an-owner-chose-this-1');
    await button('Complete Setup').click();
    await expect(page).toHaveURL(/\/my-listings$/);
  });

  await test.step('the password of the stranger is refused', async () => {
    await accountMenu.click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
    await logIn(defaultPassword);
    await expect(page.getByText('Invalid email or password')).toBeVisible();
    await logIn('an-owner-chose-this-1');
    await expect(accountMenu).toBeVisible();
  });

  await test.step('the emailed link replaces the password and ends the session', async () => {
    await page.goto('/forgot-password');
    await field('Email').fill(email);
    await button('Send Reset Link').click();
    const { text } = await quad.mail.take(email, 'Reset your');
    const [link = ''] = /http\S+\/reset-password\/\S+/.exec(text ?? '') ?? [];
    expect(link.startsWith(`${quad.url}/`)).toBe(true);
    await page.goto(link);
    await field('New password').fill('gold-and-cardinal-2');
    await field('Confirm new password').fill('gold-and-cardinal-2');
    await button('Update Password').click();
    await expect(page.getByRole('heading', { name: 'Password updated' })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    await page.getByRole('link', { name: 'Log in now' }).click();
    await logIn('gold-and-cardinal-2');
    await expect(accountMenu).toBeVisible();
  });
});
