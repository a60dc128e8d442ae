import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

const changePassword = vi.hoisted(() => vi.fn());
vi.mock('#web/accounts/public.ts', () => ({ changePassword, ReauthenticationForm: () => null }));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus, useCampusNames: () => [] };
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
