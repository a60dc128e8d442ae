import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { createTestSession, signOut, storeSession } from '#web/testing/session.ts';

const changePassword = vi.hoisted(() => vi.fn());
vi.mock('#web/accounts/public.ts', () => ({
  changePassword,
  ReauthenticationForm: ({ leavingHint }: { leavingHint?: string }) => <p>{leavingHint}</p>,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  const signOn = { name: 'USC NetID', isRequired: false, isOnlySignUp: false };
  return { useCampus: () => ({ ...defaultCampus, signOn }), useCampusNames: () => [] };
});

const { ChangePasswordForm } = await import('./password-form.tsx');

beforeEach(() => {
  changePassword.mockReset().mockResolvedValue({
    error: { code: 'reauthentication_needed', message: 'Please log in again' },
  });
});

test.each([
  ['ada@usc.edu', 'Forgot password.'],
  ['ada@home.example', '“Email me a code”; then you can set a new one here.'],
])('tells %s, who forgot the current password, to log out and choose %s', async (email, choice) => {
  await render(<ChangePasswordForm email={email} />);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a-new-password-9');
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill('a-new-password-9');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect
    .element(page.getByRole('textbox', { name: 'Current password' }))
    .toHaveAccessibleDescription(expect.stringContaining(`If you forgot it, log out and choose ${choice}`));
});

test('a person without a password reads that the new one is not kept while they prove who they are elsewhere', async () => {
  const session = createTestSession();
  storeSession({ ...session, user: { ...session.user, app_metadata: { has_password: false } } });
  onTestFinished(signOut);
  await render(<ChangePasswordForm email="ada@usc.edu" />);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a-new-password-9');
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill('a-new-password-9');
  await page.getByRole('button', { name: 'Set Password' }).click();
  const hint = 'Your new password is not kept while you are at USC NetID. Type it again afterwards.';
  await expect.element(page.getByText(hint)).toBeVisible();
});
