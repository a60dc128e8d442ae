import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { resendCooldownSeconds } from '#contract/accounts.ts';
import { calls } from '#contract/calls.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { accountTexts } from '#contract/specification-texts.ts';
import AuthCallback from '#web/routes/auth-callback.tsx';
import ForgotPassword from '#web/routes/forgot-password.tsx';
import Login from '#web/routes/login.tsx';
import ResetPassword from '#web/routes/reset-password.tsx';
import Signup from '#web/routes/signup.tsx';
import { createTestApi, refuse, undeclaredCalls } from './api.ts';
import { getRecorded } from './recorded.ts';
import { openScreen } from './screen.tsx';
import { createTestSession, signOut } from './session.ts';
import { recordShownTexts } from './shown-texts.ts';

const api = createTestApi();
const listMissing = recordShownTexts();

beforeEach(() => {
  signOut();
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => void vi.useRealTimers());

const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const see = (text: string) => expect.element(page.getByText(text, { exact: false }).first()).toBeVisible();

const tryEachError = async (
  button: string,
  expectations: [ErrorCode, string][],
  fail: (code: ErrorCode) => void,
) => {
  for (const [code, text] of expectations) {
    fail(code);
    await press(button);
    await see(text);
  }
};

const credentials = ['Email', 'Password', 'Confirm password'];
const fillSignUp = async (values: readonly string[]) => {
  for (const [index, name] of credentials.entries()) await field(name).fill(values[index] ?? '');
};
const password = 'cardinal-and-gold-1';

const openSignUp = async () => {
  await openScreen('/signup', { '/signup': Signup });
  await field('Full name').fill('Ada Lovelace');
  await page.getByRole('checkbox').click();
};

test('the sign-up form', async () => {
  await openSignUp();
  for (const [values, message] of [
    [['ada', 'letters-only', 'other'], 'Please enter a valid email address.'],
    [['ada@usc.edu', 'short', 'other'], 'Password must be at least 8 characters'],
    [['ada@usc.edu', 'letters-only', 'other'], 'Password must contain letters and numbers'],
    [['ada@usc.edu', password, 'other'], 'Passwords do not match'],
  ] as const) {
    await fillSignUp(values);
    await press('Create Account');
    await see(message);
  }
  await field('Confirm password').fill(password);
  await tryEachError(
    'Create Account',
    [
      ['internal', 'Failed to create account. Please try again.'],
      // The form leads to the log-in page two seconds later.
      ['account_exists', 'Account already exists. Please log in.'],
    ],
    (code) =>
      api.answer(calls.signup, () => {
        throw refuse(code);
      }),
  );
});

test('the code of a sign-up', async () => {
  await openSignUp();
  await fillSignUp(['ada@usc.edu', password, password]);
  api.answer(calls.signup, { success: true });
  await press('Create Account');
  await see('Verification code sent to your email!');
  await see('Back to Sign Up');

  await press('Verify');
  await see('Please enter all 6 digits');
  const code = field('Verification code');
  for (const [error, text] of [
    ['code_invalid', 'Invalid or expired code.'],
    ['code_attempts_used', 'Too many attempts. Request a new code.'],
    ['internal', 'Verification failed. Please try again.'],
  ] as const) {
    api.answer(calls.verifyOtp, () => {
      throw refuse(error);
    });
    await code.fill('');
    await code.fill('123456');
    await see(text);
  }
  vi.setSystemTime(Date.now() + resendCooldownSeconds * 1000);
  api.answer(calls.sendVerificationCode, () => {
    throw refuse('internal');
  });
  await press('Resend code');
  await see('Failed to resend code. Please try again.');
  api.answer(calls.sendVerificationCode, { success: true });
  await press('Resend code');
  await see('New verification code sent!');
  api.answer(calls.verifyOtp, { authPassword: 'one-time', passwordNeeded: false });
  api.answer(undeclaredCalls.createSession, createTestSession() as never);
  api.answer(calls.updateMe, getRecorded('getMe'));
  await code.fill('654321');
  await see('Account verified successfully!');
});

test('the log-in form', async () => {
  await openScreen('/login', { '/login': Login });
  await press('Email me a code');
  await see('Please enter a valid email address.');
  await field('Email').fill('ada@usc.edu');
  await press('Log In');
  await see('Please enter your password');
  await field('Password').fill('cardinal-and-gold-1');
  await tryEachError(
    'Log In',
    [
      ['account_not_found', 'No account found. Please sign up.'],
      ['invalid_credentials', 'Invalid email or password'],
      ['rate_limited', 'Too many requests. Try again in a few minutes.'],
      ['unavailable', 'Service unavailable, please retry shortly.'],
    ],
    (code) =>
      api.answer(calls.loginPassword, () => {
        throw refuse(code);
      }),
  );
  api.answer(calls.loginPassword, () => {
    throw refuse('internal', { error: '' });
  });
  await press('Log In');
  await see('Failed to log in. Please try again.');
  api.answer(calls.loginPassword, { authPassword: '', passwordNeeded: false });
  await press('Log In');
  await see('Failed to create authentication session');
  api.answer(calls.loginPassword, () => {
    throw refuse('email_not_verified');
  });
  await press('Log In');
  await see('Please verify your email. Check your inbox for the verification code.');
  await see('Back to Log In');
});

test('the forms for a forgotten password', async () => {
  const { unmount } = await openScreen('/forgot-password', { '/forgot-password': ForgotPassword });
  await field('Email').fill('ada@example.com');
  await press('Send Reset Link');
  await see('email addresses are allowed.');
  await field('Email').fill('ada@usc.edu');
  api.answer(calls.forgotPassword, () => {
    throw refuse('internal');
  });
  await press('Send Reset Link');
  await see('Failed to send reset email. Please try again.');
  api.answer(calls.forgotPassword, { success: true });
  await press('Send Reset Link');
  await see('If this USC email exists, a reset link has been sent.');
  await unmount();

  const reset = await openScreen('/reset-password/token', { '/reset-password/:token': ResetPassword });
  await field('New password').fill('cardinal-and-gold-1');
  await field('Confirm new password').fill('cardinal-and-gold-1');
  await tryEachError(
    'Update Password',
    [
      ['reset_link_invalid', 'This link is invalid or has expired. Request a new reset email.'],
      ['internal', 'Failed to reset password. Please try again.'],
    ],
    (code) =>
      api.answer(calls.resetPassword, () => {
        throw refuse(code);
      }),
  );
  api.answer(calls.resetPassword, { success: true });
  await press('Update Password');
  await see('Password updated successfully!');
  await reset.unmount();

  await openScreen('/reset-password', { '/reset-password': ResetPassword });
  await see('Invalid reset link');
});

test('the page that completes a log-in', async () => {
  await openScreen('/auth/callback', { '/auth/callback': AuthCallback });
  await see('Completing sign in...');
});

test('every text of the specification about accounts was shown', () => {
  expect(listMissing(accountTexts)).toEqual([]);
});
