import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi, networkFailure, refuse } from '#web/testing/api.ts';
import { waitUntil } from '#web/testing/next-task.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { signOut } from '#web/testing/session.ts';
import Signup from './signup.tsx';

const api = createTestApi();
api.answer(calls.signup, { success: true });
beforeEach(signOut);
afterEach(() => void vi.useRealTimers());

const getField = (name: string) => page.getByRole('textbox', { name });
const getButton = (name: string | RegExp) => page.getByRole('button', { name });
const code = page.getByLabelText(/^Verification code/);
const terms = page.getByRole('checkbox', { name: /Terms of Service/ });
const expectText = (text: string) =>
  expect.element(page.getByText(text, { exact: true }).last()).toBeVisible();
const password = 'cardinal-and-gold-1';

const open = () => openScreen('/signup?from=%2Fmy-listings', { '/signup': Signup });
const fillForm = async () => {
  await getField('Full name').fill('Ada Student');
  await getField('Email').fill('ada@usc.edu');
  await getField('Password').fill(password);
  await getField('Confirm password').fill(password);
  await terms.click();
};
const expectKept = async () => {
  await expect.element(getField('Full name')).toHaveValue('Ada Student');
  await expect.element(getField('Email')).toHaveValue('ada@usc.edu');
  await expect.element(getField('Password')).toHaveValue(password);
  await expect.element(getField('Confirm password')).toHaveValue(password);
  await expect.element(terms).toBeChecked();
};
const openCodeStep = async () => {
  await open();
  await fillForm();
  await getButton('Create Account').click();
  await expect.element(code).toHaveFocus();
};

test('reports every mistake without a request, and explains the verified badge', async () => {
  await open();
  await getButton('Create Account').click();
  await expectText('Please enter your full name');
  await expectText('Please enter a valid email address.');
  await expectText('Password must be at least 8 characters');
  await expectText('Please agree to the Terms and Privacy Policy');
  await fillForm();
  await getField('Password').fill('abcdefgh');
  await expectText('Password must contain letters and numbers');
  await getField('Password').fill('cardinal-and-gold-2');
  await getButton('Create Account').click();
  await expectText('Passwords do not match');
  await getField('Password').fill(password);
  for (const [name, sentence] of [
    ['Quad Support', 'Please use your own name: this one could be mistaken for Quad or USC staff'],
    ['Ada ✓', 'Full name cannot contain emojis or check marks'],
    ['\u200B\u202E', 'Please enter your full name'],
  ] as const) {
    await getField('Full name').fill(name);
    await getButton('Create Account').click();
    await expectText(sentence);
    await expect.element(getField('Full name')).toHaveFocus();
  }
  await expect
    .element(getField('Email'))
    .toHaveAccessibleDescription(
      'An @usc.edu address earns you the verified badge. You can also add one later in Settings.',
    );
  await expect
    .element(page.getByRole('link', { name: 'Terms of Service' }))
    .toHaveAttribute('href', '/terms');
  await expect
    .element(page.getByRole('link', { name: 'Privacy Policy' }))
    .toHaveAttribute('href', '/privacy');
  expect(api.listRequests(calls.signup)).toEqual([]);
});

test('keeps the input while the server is slow, and after each failure', async () => {
  await open();
  await fillForm();
  const answer = api.hold(calls.signup, () => {
    throw refuse('weak_password');
  });
  await getButton('Create Account').click();
  await expect.element(getButton('Create Account')).toHaveAttribute('aria-disabled', 'true');
  answer.release();
  await expectText('This password is too common and easy to guess');
  await expect.element(getField('Password')).toHaveFocus();
  await expect.element(getField('Password')).toHaveAttribute('aria-invalid', 'true');
  for (const failure of [networkFailure(), refuse('internal'), refuse('unavailable')]) {
    api.answer(calls.signup, () => {
      throw failure;
    });
    await getButton('Create Account').click();
    await expectText('Failed to create account. Please try again.');
    await expect.element(getButton('Create Account')).not.toHaveAttribute('aria-disabled', 'true');
    await expectKept();
  }
});

test('a failed verification keeps the code, a refused code is cleared', async () => {
  await openCodeStep();
  await expectText('Verification code sent to your email!');
  await code.fill('12');
  await getButton('Verify').click();
  await expectText('Please enter all 6 digits');
  for (const [failure, sentence, kept] of [
    [networkFailure(), 'Verification failed. Please try again.', '123456'],
    [refuse('code_invalid'), 'Invalid or expired code.', ''],
    [refuse('code_attempts_used'), 'Too many attempts. Request a new code.', ''],
  ] as const) {
    await code.fill('');
    api.answer(calls.verifyOtp, () => {
      throw failure;
    });
    await code.fill('123456');
    await expectText(sentence);
    await expect.element(code).toHaveValue(kept);
  }
  await getButton('Back to Sign Up').click();
  await expectKept();
  await getButton('Create Account').click();
  await expect.element(code).toHaveValue('');
});

test('a new code can be requested after 30 seconds, each time', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  await openCodeStep();
  await expect.element(getButton('Resend code in 30s')).toBeDisabled();
  await vi.advanceTimersByTimeAsync(30_000);
  for (const [failure, sentence] of [
    [refuse('rate_limited'), 'Too many requests. Try again in a few minutes.'],
    [networkFailure(), 'Failed to resend code. Please try again.'],
  ] as const) {
    api.answer(calls.sendVerificationCode, () => {
      throw failure;
    });
    await getButton('Resend code').click();
    await expectText(sentence);
  }
  api.answer(calls.sendVerificationCode, { success: true });
  await getButton('Resend code').click();
  await expectText('New verification code sent!');
  await vi.advanceTimersByTimeAsync(29_000);
  await expect.element(getButton('Resend code in 1s')).toBeDisabled();
  await vi.advanceTimersByTimeAsync(1000);
  await expect.element(getButton('Resend code')).toBeEnabled();
});

test('an existing account leads to the log-in screen after two seconds, unless another address is tried', async () => {
  await open();
  await fillForm();
  const submit = async () => {
    const before = api.listRequests(calls.signup).length;
    (getButton('Create Account').element() as HTMLElement).click();
    await waitUntil(() => api.listRequests(calls.signup).length > before);
  };
  const isBusy = () => getButton('Create Account').element().getAttribute('aria-busy') === 'true';
  const submitTakenAddress = async () => {
    api.answer(calls.signup, () => {
      throw refuse('account_exists');
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await submit();
    await waitUntil(() => !isBusy());
    await vi.advanceTimersByTimeAsync(1900);
    expect(address.element().textContent).toContain('/signup');
  };
  await submitTakenAddress();
  api.answer(calls.signup, { success: true });
  await submit();
  await waitUntil(() => code.elements().length > 0);
  await vi.advanceTimersByTimeAsync(2000);
  expect(code.elements()).toHaveLength(1);

  vi.useRealTimers();
  await getButton('Back to Sign Up').click();
  await submitTakenAddress();
  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  await expect.element(address).toHaveTextContent('/login?from=%2Fmy-listings');
  await expectText('Account already exists. Please log in.');
});
