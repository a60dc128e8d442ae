import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Toaster } from '#web/ui/toaster.tsx';

const actionMocks = vi.hoisted(() => ({ verifyAppCode: vi.fn(), verifyRecoveryCode: vi.fn() }));
const signOutThisBrowser = vi.hoisted(() => vi.fn());
vi.mock('./second-factor-actions.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('./second-factor-actions.ts')>()),
  ...actionMocks,
}));
vi.mock('#web/lib/session.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/session.ts')>()),
  signOutThisBrowser,
}));

const { SecondFactorStep } = await import('./second-factor-step.tsx');

const open = () =>
  render(
    <>
      <SecondFactorStep />
      <Toaster />
    </>,
  );
const appCode = page.getByLabelText(/^Enter the 6-digit code from your authenticator app/);
const recoveryCode = page.getByRole('textbox', { name: 'Recovery code' });
const logIn = page.getByRole('button', { name: 'Log In' });
const expectText = (text: string) => expect.element(page.getByText(text).last()).toBeVisible();
const wrongCode = 'This code is not right. Please try again.';
const waitAMinute = 'Too many wrong codes. Try again in 1 minute.';

beforeEach(() => {
  for (const mock of [...Object.values(actionMocks), signOutThisBrowser]) mock.mockReset();
});

test('a wrong code from the app is cleared, and too many of them keep the next one', async () => {
  actionMocks.verifyAppCode.mockResolvedValueOnce({
    error: { code: 'mfa_verification_failed', message: wrongCode },
  });
  await open();
  await expect.element(appCode).toHaveFocus();
  await appCode.fill('000000');
  await expectText(wrongCode);
  await expect.element(appCode).toHaveValue('');
  actionMocks.verifyAppCode.mockResolvedValueOnce({
    error: { code: 'over_request_rate_limit', message: waitAMinute },
  });
  await appCode.fill('123456');
  await expectText(waitAMinute);
  await expect.element(appCode).toHaveValue('123456');
});

test('a recovery code can be entered instead, and a wrong one stays to be corrected', async () => {
  actionMocks.verifyRecoveryCode.mockResolvedValueOnce({
    error: { code: 'mfa_verification_failed', message: wrongCode },
  });
  await open();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect.element(recoveryCode).toHaveFocus();
  await recoveryCode.fill('abcd-efgh');
  await logIn.click();
  await expectText(wrongCode);
  await expect.element(recoveryCode).toHaveValue('abcd-efgh');
  await page.getByRole('button', { name: 'Use your authenticator app' }).click();
  await expect.element(appCode).toBeVisible();
});

test('Back to Log In ends the incomplete session', async () => {
  await open();
  await page.getByRole('button', { name: 'Back to Log In' }).click();
  expect(signOutThisBrowser).toHaveBeenCalledOnce();
});
