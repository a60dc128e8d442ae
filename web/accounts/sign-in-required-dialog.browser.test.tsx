import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { defaultCampus } from '#contract/campus.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { SignInRequiredDialog } from '#web/ui/sign-in-required-dialog.tsx';

function Screen() {
  return <SignInRequiredDialog description="Sign in to save it." returnTo="/saved" onClose={() => {}} />;
}

test('the dialog offers the university’s sign-on and names the terms', async () => {
  await openScreen(
    '/',
    { '/': Screen },
    { ...defaultCampus, signOn: { name: 'USC NetID', isRequired: false } },
  );
  await expect.element(page.getByRole('button', { name: 'Continue with USC NetID' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Terms of Service' })).toBeVisible();
});

test('the dialog offers no sign-on where there is none', async () => {
  await openScreen('/', { '/': Screen }, defaultCampus);
  await expect.element(page.getByRole('link', { name: 'Log In' })).toBeVisible();
  await expect.element(page.getByText(/Continue with/)).not.toBeInTheDocument();
});
