import type { ReactNode } from 'react';
import { createRoutesStub } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import type { OwnProfile } from '#contract/profiles.ts';

const requestMock = vi.hoisted(() => vi.fn());
const updateUserMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/session.ts', async (importOriginal) => {
  const session = { user: { id: 'ada', email: 'ada@usc.edu' }, loading: false };
  return {
    ...(await importOriginal<typeof import('#web/lib/session.ts')>()),
    getSessionSnapshot: () => session,
    onSessionChange: () => () => {},
    hasPassword: () => true,
    getAuthClient: async () => ({ updateUser: updateUserMock }),
  };
});
vi.mock('#web/accounts/passkey-actions.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/accounts/passkey-actions.ts')>()),
  fetchPasskeys: async () => [],
}));
vi.mock('#web/accounts/second-factor-actions.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/accounts/second-factor-actions.ts')>()),
  fetchTwoStepStatus: async () => ({ factorId: 'factor', remainingCodes: 10 }),
  turnOffTwoStepVerification: async () => ({}),
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus, useCampusNames: () => [] };
});

const { queryClient } = await import('#web/lib/query-client.ts');
const { default: Profile } = await import('#web/routes/profile.tsx');
const { default: ProfileEdit } = await import('#web/routes/profile-edit.tsx');
const { default: ProfileSetup } = await import('#web/routes/profile-setup.tsx');

let profile: OwnProfile;
let sessions: { id: string; device_name: string }[];

beforeEach(() => {
  profile = {
    id: 'ada',
    email: 'ada@usc.edu',
    full_name: 'Ada Student',
    role: 'Student',
    bio: 'An old bio',
    is_bio_public: true,
    avatar_url: null,
    usc_verified: true,
  } as OwnProfile;
  sessions = [
    { id: 'phone', device_name: 'Chrome on Android' },
    { id: 'here', device_name: 'Firefox on Linux' },
  ];
  // Nothing is saved on the device without a session.
  localStorage.setItem('quad.session', JSON.stringify({ user: { id: 'ada' } }));
  queryClient.clear();
  updateUserMock.mockReset().mockResolvedValue({ error: null });
  requestMock.mockReset().mockImplementation(async (call, options?: { body: Partial<OwnProfile> }) => {
    if (call === calls.getMe) return profile;
    if (call === calls.listSessions)
      return {
        items: sessions.map((it) => ({
          ...it,
          created_at: '2026-03-02T18:00:00Z',
          is_current: it.id === 'here',
        })),
      };
    if (call === calls.updateMe) {
      profile = { ...profile, ...options?.body };
      return profile;
    }
    throw new Error('not part of this test');
  });
});

const listSavedChanges = () =>
  requestMock.mock.calls.filter(([call]) => call === calls.updateMe).map(([, options]) => options.body);

/** Caches the profile as a screen did that was open before, and then changes it like another device. */
const changeElsewhere = (change: Partial<OwnProfile>) => {
  queryClient.setQueryData(['own-profile', 'ada'], profile, { updatedAt: 1 });
  profile = { ...profile, ...change };
};
const open = (screen: ReactNode) => {
  const Router = createRoutesStub([{ path: '*', Component: () => screen }]);
  return render(<Router />);
};
const openSecuritySettings = async () => {
  await open(<Profile />);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Log-in and security' }).click();
};

test('the profile shows what was changed elsewhere since it was loaded', async () => {
  changeElsewhere({ bio: 'A new bio' });
  await open(<Profile />);
  await expect.element(page.getByText('A new bio')).toBeVisible();
});

test('opening the Settings tab shows what was changed elsewhere in the meantime', async () => {
  await open(<Profile />);
  await expect.element(page.getByText('An old bio')).toBeVisible();
  changeElsewhere({ bio: 'A new bio' });
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect.element(page.getByText('A new bio')).toBeVisible();
});

test('the profile editor picks up changes made elsewhere, and saves only edited fields', async () => {
  changeElsewhere({ bio: 'A new bio', role: 'Staff' });
  const loaded = Promise.withResolvers<OwnProfile>();
  requestMock.mockReturnValueOnce(loaded.promise);
  await open(<ProfileEdit />);
  const bio = page.getByRole('textbox', { name: 'Bio' });
  const role = page.getByRole('combobox', { name: 'Role' });
  await expect.element(bio).toHaveValue('An old bio');
  await role.selectOptions('Alumni');
  loaded.resolve(profile);
  await expect.element(bio).toHaveValue('A new bio');
  await expect.element(role).toHaveValue('Alumni');
  // Only edited fields are kept as a draft, which would replace later changes.
  expect(JSON.stringify({ ...localStorage })).toContain('Alumni');
  expect(JSON.stringify({ ...localStorage })).not.toContain('A new bio');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.poll(listSavedChanges).toEqual([{ role: 'Alumni' }]);
});

test('saving the profile publishes a bio that is not public yet', async () => {
  profile = { ...profile, is_bio_public: false };
  await open(<ProfileEdit />);
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect.poll(listSavedChanges).toEqual([{ full_name: 'Ada Lovelace', bio: 'An old bio' }]);
});

test('profile setup does not overwrite what another tab has saved', async () => {
  profile = { ...profile, role: null };
  const { unmount } = await open(<ProfileSetup />);
  await page.getByRole('radio', { name: /^Staff/ }).click();
  changeElsewhere({ full_name: 'Ada Lovelace' });
  await page.getByRole('button', { name: 'Complete Setup' }).click();
  await expect.poll(listSavedChanges).toEqual([{ role: 'Staff' }]);
  await unmount();
  profile = { ...profile, role: null };
  queryClient.clear();
  await open(<ProfileSetup />);
  await expect.element(page.getByRole('radio', { name: /^Staff/ })).not.toBeChecked();
  profile = { ...profile, role: 'Alumni' };
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await expect.poll(listSavedChanges).toEqual([{ role: 'Staff' }, {}]);
});

test.each([
  [
    'changing the password',
    async () => {
      await page.getByLabelText(/^New password/).fill('gold-and-cardinal-2');
      await page.getByLabelText(/^Confirm new password/).fill('gold-and-cardinal-2');
      await page.getByRole('button', { name: 'Change Password' }).click();
    },
  ],
  [
    'a change of two-step verification',
    async () => {
      await page.getByRole('button', { name: 'Turn off' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    },
  ],
])('%s removes the logged-out devices from the list', async (_change, changeSecurity) => {
  await openSecuritySettings();
  const rows = page.getByRole('list', { name: 'Where you are logged in' }).getByRole('listitem');
  await expect.poll(() => rows.elements().length).toBe(2);
  sessions = sessions.filter(({ id }) => id === 'here');
  await changeSecurity();
  await expect.poll(() => rows.elements().length).toBe(1);
});
