import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { waitUntil } from '#web/testing/next-task.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { signOut } from '#web/testing/session.ts';
import ForgotPassword from './forgot-password.tsx';
import ResetPassword from './reset-password.tsx';

const api = createTestApi();
api.answer(calls.forgotPassword, { success: true });
api.answer(calls.resetPassword, { success: true });
beforeEach(signOut);
afterEach(() => void vi.useRealTimers());

const open = (path: string) =>
  openScreen(path, {
    '/forgot-password': ForgotPassword,
    '/reset-password/:token?': ResetPassword,
  });
const getField = (name: string) => page.getByRole('textbox', { name });
const getButton = (name: string) => page.getByRole('button', { name });
const expectText = (text: string) =>
  expect.element(page.getByText(text, { exact: true }).last()).toBeVisible();
const alert = page.getByRole('alert');

test('a reset link can be requested for campus addresses, after any failure', async () => {
  await open('/forgot-password');
  await getField('Email').fill('rex@example.com');
  await getButton('Send Reset Link').click();
  await expectText('Only @usc.edu email addresses are allowed.');
  await getField('Email').fill('REX@usc.edu');
  for (const [failure, sentence] of [
    [refuse('rate_limited'), 'Too many requests. Try again in a few minutes.'],
    [refuse('internal'), 'Failed to send reset email. Please try again.'],
    [networkFailure(), 'Failed to send reset email. Please try again.'],
  ] as const) {
    api.answer(calls.forgotPassword, () => {
      throw failure;
    });
    await getButton('Send Reset Link').click();
    await expectText(sentence);
    await expect.element(getField('Email')).toHaveValue('REX@usc.edu');
  }
  const answer = api.hold(calls.forgotPassword, { success: true });
  await getButton('Send Reset Link').click();
  await expect.element(getButton('Send Reset Link')).toHaveAttribute('aria-disabled', 'true');
  answer.release();
  await expect.element(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expectText('If this USC email exists, a reset link has been sent.');
  await expect.element(page.getByRole('link', { name: 'Back to Log In' })).toHaveAttribute('href', '/login');
});

test('a new password must obey the rules, and stays in the form after a failure', async () => {
  await open('/reset-password/token');
  await getButton('Update Password').click();
  await expectText('Password must be at least 8 characters');
  await getField('New password').fill('gold-and-cardinal-2');
  await getField('Confirm new password').fill('something-else-3');
  await getButton('Update Password').click();
  await expectText('Passwords do not match');
  await getField('Confirm new password').fill('gold-and-cardinal-2');
  api.answer(calls.resetPassword, () => {
    throw refuse('weak_password');
  });
  await getButton('Update Password').click();
  await expectText('This password is too common and easy to guess');
  for (const [failure, sentence] of [
    [refuse('reset_link_invalid'), 'This link is invalid or has expired. Request a new reset email.'],
    [refuse('internal'), 'Failed to reset password. Please try again.'],
    [networkFailure(), 'Failed to reset password. Please try again.'],
  ] as const) {
    api.answer(calls.resetPassword, () => {
      throw failure;
    });
    await getButton('Update Password').click();
    await expect.element(alert).toMatchTextContent(sentence);
    await expect.element(getField('New password')).toHaveValue('gold-and-cardinal-2');
    await expect.element(getField('Confirm new password')).toHaveValue('gold-and-cardinal-2');
  }
});

test('after a reset, the success message stays for three seconds before the log-in screen opens', async () => {
  await open('/reset-password/token');
  await getField('New password').fill('gold-and-cardinal-2');
  await getField('Confirm new password').fill('gold-and-cardinal-2');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  (getButton('Update Password').element() as HTMLElement).click();
  await waitUntil(() => page.getByRole('heading', { name: 'Password updated' }).elements().length > 0);
  await vi.advanceTimersByTimeAsync(2900);
  expect(address.element().textContent).toBe('/reset-password/token');
  expect(
    page.getByRole('status').filter({ hasText: 'Password updated successfully!' }).elements(),
  ).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  await expect.element(address).toHaveTextContent('/login');
  expect(api.listRequests(calls.resetPassword)).toMatchObject([{ body: { token: 'token' } }]);
});

test('the address without a token explains that the link is invalid', async () => {
  await open('/reset-password');
  await expect.element(alert).toMatchTextContent(/^Invalid reset link/);
});
