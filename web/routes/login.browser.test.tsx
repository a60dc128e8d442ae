import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi, networkFailure, refuse, undeclaredCalls } from '#web/testing/api.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { createTestSession, signIn, signOut } from '#web/testing/session.ts';
import AuthCallback from './auth-callback.tsx';
import Login from './login.tsx';
import Signup from './signup.tsx';

const api = createTestApi();
api.answer(calls.loginPassword, { authPassword: 'one-time', passwordNeeded: false });
api.answer(calls.sendOtp, { success: true });
api.answer(calls.verifyOtp, { authPassword: 'one-time', passwordNeeded: false });
const createNamedSession = () => {
  const session = createTestSession();
  return { ...session, user: { ...session.user, user_metadata: { full_name: 'Lea Learner' } } };
};
api.answer(undeclaredCalls.createSession, createNamedSession);
beforeEach(signOut);
afterEach(() => void vi.useRealTimers());

const open = (path: string) =>
  openScreen(path, { '/login': Login, '/signup': Signup, '/auth/callback': AuthCallback });
const email = page.getByRole('textbox', { name: 'Email' });
const password = page.getByRole('textbox', { name: 'Password' });
const code = page.getByLabelText(/^Verification code/);
const getButton = (name: string) => page.getByRole('button', { name });
const expectText = (text: string) =>
  expect.element(page.getByText(text, { exact: true }).last()).toBeVisible();

test('says what is missing, and then opens the screen that required the log-in', async () => {
  await open('/login?from=%2Fmy-listings');
  await getButton('Log In').click();
  await expectText('Please enter a valid email address.');
  await expectText('Please enter your password');
  await email.fill(' LEA@usc.edu ');
  await password.fill('cardinal-and-gold-1');
  await getButton('Log In').click();
  await expect.element(address).toHaveTextContent('/my-listings');
  expect(api.listRequests(calls.loginPassword)).toMatchObject([{ body: { email: 'lea@usc.edu' } }]);
});

test('keeps the input while the server is slow, and after each failure', async () => {
  await open('/login');
  await email.fill('lea@usc.edu');
  await password.fill('not-her-password-1');
  const answer = api.hold(calls.loginPassword, () => {
    throw refuse('internal');
  });
  await getButton('Log In').click();
  await expect.element(getButton('Log In')).toHaveAttribute('aria-disabled', 'true');
  answer.release();
  await expectText('Something went wrong. Please try again.');
  for (const [failure, sentence] of [
    [refuse('account_not_found'), 'No account found. Please sign up.'],
    [refuse('invalid_credentials'), 'Invalid email or password'],
    [refuse('rate_limited'), 'Too many requests. Try again in a few minutes.'],
    [networkFailure(), 'Service unavailable, please retry shortly.'],
  ] as const) {
    api.answer(calls.loginPassword, () => {
      throw failure;
    });
    await getButton('Log In').click();
    await expectText(sentence);
    await expect.element(getButton('Log In')).not.toHaveAttribute('aria-disabled', 'true');
    await expect.element(email).toHaveValue('lea@usc.edu');
    await expect.element(password).toHaveValue('not-her-password-1');
  }
});

test('an unconfirmed address asks for the emailed code, which completes the log-in', async () => {
  api.answer(calls.loginPassword, () => {
    throw refuse('email_not_verified');
  });
  await open('/login?from=%2Fmessages');
  await email.fill('late@usc.edu');
  await password.fill('cardinal-and-gold-1');
  await getButton('Log In').click();
  await expectText('Please verify your email. Check your inbox for the verification code.');
  await code.fill('123456');
  await expect.element(address).toHaveTextContent('/messages');
});

test('logging in by emailed code explains failures, and Back to Log In keeps the address', async () => {
  await open('/login');
  await getButton('Email me a code').click();
  await expectText('Please enter a valid email address.');
  await email.fill('coda@usc.edu');
  for (const [failure, sentence] of [
    [networkFailure(), 'Service unavailable, please retry shortly.'],
    [refuse('rate_limited'), 'Too many requests. Try again in a few minutes.'],
  ] as const) {
    api.answer(calls.sendOtp, () => {
      throw failure;
    });
    await getButton('Email me a code').click();
    await expectText(sentence);
  }
  api.answer(calls.sendOtp, { success: true });
  await getButton('Email me a code').click();
  await expectText('Verification code sent to your email!');
  api.answer(calls.verifyOtp, () => {
    throw refuse('code_invalid');
  });
  await code.fill('123456');
  await expectText('Invalid or expired code.');
  await getButton('Back to Log In').click();
  await expect.element(email).toHaveValue('coda@usc.edu');
});

test('a code that was requested moments ago can still be entered after going back or reloading', async () => {
  api.answer(calls.sendOtp, () => {
    throw refuse('rate_limited', { resend_after: 12 });
  });
  await open('/login?from=%2Fmessages');
  for (let times = 0; times < 2; times += 1) {
    await email.fill('coda@usc.edu');
    await getButton('Email me a code').click();
    await expect.element(getButton('Resend code in 12s')).toBeDisabled();
    await expect.element(page.getByText(/Too many requests/)).not.toBeInTheDocument();
    await getButton('Back to Log In').click();
  }
  await getButton('Email me a code').click();
  await expectText('We sent you a code a moment ago. Please check your email.');
  await code.fill('123456');
  await expect.element(address).toHaveTextContent('/messages');
});

test('asking again for a code that another tab has requested waits for as long as the server says', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'Date'] });
  await open('/login');
  await email.fill('coda@usc.edu');
  await getButton('Email me a code').click();
  await expect.element(getButton('Resend code in 30s')).toBeDisabled();
  await vi.advanceTimersByTimeAsync(30_000);
  api.answer(calls.sendOtp, () => {
    throw refuse('rate_limited', { resend_after: 7 });
  });
  await getButton('Resend code').click();
  await expect.element(getButton('Resend code in 7s')).toBeDisabled();
  await expectText('We sent you a code a moment ago. Please check your email.');
});

test('an account without a name, confirmed by code, continues with its profile', async () => {
  api.answer(undeclaredCalls.createSession, createTestSession);
  await open('/login?from=%2Fmy-listings');
  await email.fill('prey@usc.edu');
  await getButton('Email me a code').click();
  await code.fill('123456');
  await expect.element(address).toHaveTextContent('/profile-setup?from=%2Fmy-listings');
});

test.each([
  ['/login', '/'],
  ['/login?from=%2Fmessages', '/messages'],
  ['/login?from=%2F%2Fevil.example', '/'],
  ['/signup', '/profile'],
  ['/auth/callback', '/'],
])('somebody who is logged in is redirected from %s to %s', async (path, target) => {
  signIn();
  await open(path);
  await expect.element(address).toHaveTextContent(target);
});

test('the callback screen waits until another tab has stored a session', async () => {
  await open('/auth/callback');
  await expectText('Completing sign in...');
  signIn();
  await expect.element(address).toHaveTextContent('/');
});
