import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import ProfileEdit from './profile-edit.tsx';

const api = createTestApi();
const profile = getRecorded('getMe');
api.answer(calls.getMe, profile);
beforeEach(signIn);

const name = page.getByRole('textbox', { name: 'Full name' });
const save = page.getByRole('button', { name: 'Save Changes' });

test('a changed profile is sent once, and cannot be changed until it is saved', async () => {
  const saving = api.hold(calls.updateMe, { ...profile, full_name: 'Samuel Seller' });
  await openScreen('/profile/edit', { '/profile/edit': ProfileEdit });
  await name.fill('Samuel Seller');
  await save.click();
  await expect.element(save).toHaveAttribute('aria-busy', 'true');
  await expect.element(name).toHaveAttribute('readonly');
  (save.element() as HTMLElement).click();
  (name.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  saving.release();
  await expect.element(page.getByText('Profile updated')).toBeVisible();
  await expect.element(address).toHaveTextContent('/profile');
  expect(api.listRequests(calls.updateMe)).toHaveLength(1);
});
