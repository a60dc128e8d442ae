import { request as httpRequest } from 'node:http';
import { expect } from '@playwright/test';
import { createAccount } from '../support/sign-in.ts';
import { intercept } from '../support/test.ts';
import {
  commonPasswordSentence,
  rateLimitedResponse,
  test,
  toFunctionUrlPattern,
  tooManyRequestsSentence,
} from './screen.ts';

test('a forgotten password is replaced through the emailed link', async ({ page, quad, signIn, account }) => {
  const { field, button, expectText, stopClock, logIn } = account;
  await signIn('rex@usc.edu');
  await page.goto('/profile-setup');
  await expect(page.getByLabel('Full name')).toBeVisible();

  await test.step('the link is asked for', async () => {
    await page.goto('/forgot-password');
    await expect(page.getByRole('link', { name: 'Back to Log In' })).toHaveAttribute('href', '/login');
    await field('Email').fill('rex@example.com');
    await button('Send Reset Link').click();
    await expectText('Only @usc.edu email addresses are allowed.');
    await field('Email').fill('REX@usc.edu');
    await intercept(page, toFunctionUrlPattern('forgot-password'), (route) =>
      route.fulfill(rateLimitedResponse),
    );
    await button('Send Reset Link').click();
    await expectText(tooManyRequestsSentence);
    await page.unroute(toFunctionUrlPattern('forgot-password'));
    await intercept(page, toFunctionUrlPattern('forgot-password'), (route) => route.abort());
    await button('Send Reset Link').click();
    await expectText('Failed to send reset email. Please try again.');
    await expect(field('Email')).toHaveValue('REX@usc.edu');
    await page.unroute(toFunctionUrlPattern('forgot-password'));
    await button('Send Reset Link').click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expectText('If this USC email exists, a reset link has been sent.');
    await expect(page.getByRole('link', { name: 'Back to Log In' })).toBeVisible();
  });

  const mail = await quad.mail.take('rex@usc.edu', 'Reset your');
  const [link = ''] = /http\S+\/reset-password\/\S+/.exec(mail.text ?? '') ?? [];
  expect(link.startsWith(`${quad.url}/`)).toBe(true);

  await test.step('the new password obeys the rules of the first', async () => {
    await page.clock.install();
    await page.goto(link);
    await button('Update Password').click();
    await expectText('Password must be at least 8 characters');
    await field('New password').fill('gold-and-cardinal-2');
    await expectText('Password strength: Strong');
    await field('Confirm new password').fill('something-else-3');
    await button('Update Password').click();
    await expectText('Passwords do not match');
    // A timer focuses the invalid field again. Let the timer run now, so that it does not move the focus
    // while the test fills another field.
    await page.clock.runFor(1);
    await field('New password').fill('qwerty123');
    await field('Confirm new password').fill('qwerty123');
    await button('Update Password').click();
    await expectText(commonPasswordSentence);
    await intercept(page, toFunctionUrlPattern('reset-password'), (route) =>
      route.fulfill({ status: 500, body: 'no' }),
    );
    await field('New password').fill('gold-and-cardinal-2');
    await field('Confirm new password').fill('gold-and-cardinal-2');
    await button('Update Password').click();
    await expect(page.getByRole('alert')).toContainText('Failed to reset password. Please try again.');
    await expect(field('New password')).toHaveValue('gold-and-cardinal-2');
    await page.unroute(toFunctionUrlPattern('reset-password'));
  });

  await test.step('success stays 3 seconds, and the earlier session is over', async () => {
    await stopClock();
    await button('Update Password').click();
    await expect(page.getByRole('heading', { name: 'Password updated' })).toBeVisible();
    await expect(page.getByRole('status').getByText('Password updated successfully!')).toBeVisible();
    await page.clock.runFor(2900);
    await expect(page).toHaveURL(/\/reset-password\//);
    await page.clock.runFor(200);
    await expect(page).toHaveURL(/\/login$/);
    await expect(button('Log In')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('quad.session'))).toBeNull();
    await page.clock.resume();
  });

  await test.step('the link works once, and none is no link', async () => {
    await page.goto(link);
    await field('New password').fill('another-password-3');
    await field('Confirm new password').fill('another-password-3');
    await button('Update Password').click();
    await expect(page.getByRole('alert')).toContainText(
      'This link is invalid or has expired. Request a new reset email.',
    );
    await page.goto('/reset-password');
    await expect(page.getByRole('alert')).toContainText('Invalid reset link');
    await page.goto('/login');
    await logIn('rex@usc.edu', 'gold-and-cardinal-2');
    await expect(page).toHaveURL(/\/$/);
  });
});

test('promise 10: the emailed link uses the public URL, whatever Host header the request has', async ({
  quad,
}) => {
  await createAccount(quad, 'host@usc.edu');
  const status = await new Promise((resolve, reject) => {
    const sent = httpRequest(`${quad.url}/functions/v1/forgot-password`, {
      method: 'POST',
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'content-type': 'application/json',
      },
    });
    sent.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject);
    sent.end(JSON.stringify({ email: 'host@usc.edu' }));
  });
  expect(status).toBe(200);
  const { text, html } = await quad.mail.take('host@usc.edu', 'Reset your');
  expect(text).toContain(`${quad.url}/reset-password/`);
  expect(`${text}${html}`).not.toContain('evil.example');
});
