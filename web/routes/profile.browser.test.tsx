import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { signOnProviderName } from '#contract/accounts.ts';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import type { OwnProfile } from '#contract/profiles.ts';
import { getSettingsPath, type SettingsPage } from '#contract/settings-pages.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { createTestApi, networkFailure, refuse, undeclaredCalls } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { createTestSession, signIn, storeSession } from '#web/testing/session.ts';
import Profile from './profile.tsx';

const api = createTestApi();
const recorded = getRecorded('getMe');
let profile: OwnProfile;
let settings: ReturnType<typeof getRecorded<'getNotificationSettings'>>;
const { user } = createTestSession();
api.answer(calls.getMe, () => profile);
api.answer(calls.listMyListings, getRecorded('listMyListings'));
api.answer(calls.getNotificationSettings, () => settings);
api.answer(calls.listPushSubscriptions, getRecorded('listPushSubscriptions'));
api.answer(calls.listBlocks, getRecorded('listBlocks'));
api.answer(calls.listSessions, getRecorded('listSessions'));
api.answer(undeclaredCalls.getAuthUser, user);

beforeEach(() => {
  signIn();
  profile = recorded;
  settings = getRecorded('getNotificationSettings');
});

afterEach(() => page.viewport(800, 600));

const openSettings = (settingsPage?: SettingsPage) =>
  openScreen(getSettingsPath(settingsPage), { '/profile': Profile });
const getButton = (name: string) => page.getByRole('button', { name });
const expectText = (text: string | RegExp) => expect.element(page.getByText(text).last()).toBeVisible();
const unavailableSentence = 'Service unavailable, please retry shortly.';
const dialog = page.getByRole('dialog');
const code = page.getByLabelText(/^Verification code/);
const throwNetworkFailure = () => {
  throw networkFailure();
};

test('notification settings are saved one by one, and a failure restores the previous setting', async () => {
  api.answer(calls.changeNotificationSettings, ({ body }) => {
    const change = body as Partial<typeof settings>;
    settings = {
      ...settings,
      ...change,
      channels: { ...settings.channels, ...change.channels },
      quiet_hours: { ...settings.quiet_hours, ...change.quiet_hours },
    };
    return settings;
  });
  await openSettings('notifications');
  const inApp = page.getByLabelText('Saved searches: In the app');
  await expect.element(inApp).toBeChecked();
  await inApp.click();
  await page.getByLabelText('Daily email about saved searches').selectOptions('7:00 PM');
  await page.getByLabelText('Brief emails').click();
  await page.getByLabelText('Hide content on the lock screen').click();
  await page.getByLabelText('From').selectOptions('11:00 PM');
  await page.getByLabelText('Until').selectOptions('6:00 AM');
  await expectText('Settings saved');
  expect(api.listRequests(calls.changeNotificationSettings).map(({ body }) => body)).toEqual([
    { channels: { 'saved_searches.app': false } },
    { digest_hour: 19 },
    { digest_content: 'brief' },
    { push_content: 'hidden' },
    { quiet_hours: { from: 23 } },
    { quiet_hours: { until: 6 } },
  ]);
  await expect.element(inApp).not.toBeChecked();

  api.answer(calls.changeNotificationSettings, throwNetworkFailure);
  const byEmail = page.getByLabelText('Reviews: Email');
  await byEmail.click();
  await expectText('Failed to save settings');
  await expect.element(byEmail).toBeChecked();
});

test('a privacy setting that could not be saved returns to its previous state', async () => {
  await openSettings('privacy');
  const fullName = page.getByRole('switch', { name: 'Show my full name' });
  api.answer(calls.updateMe, throwNetworkFailure);
  await fullName.click();
  await expectText('We could not save your profile. Please try again');
  await expect.element(fullName).toBeChecked();
  api.answer(calls.updateMe, ({ body }) => {
    profile = { ...profile, ...(body as object) };
    return profile;
  });
  await fullName.click();
  await expectText('Profile updated');
  await expect.element(fullName).not.toBeChecked();
});

const campusAddressSection = page.getByRole('region', { name: 'Campus address' });
const campusAddress = campusAddressSection.getByRole('textbox', { name: 'USC email' });
const pending = { email: 'gina@usc.edu', requested_at: '2026-03-02T18:00:00Z', verified_at: null };
const signOnCampus = { ...defaultCampus, signOn: { name: 'USC NetID', isRequired: true } };
const privateAccount: OwnProfile = { ...recorded, email: 'gina@home.example', usc_verified: false };

test('a campus address must be one, and stays in the form until its code is sent', async () => {
  profile = privateAccount;
  await openSettings('campus-address');
  await expectText(/^Add your @usc.edu address to get the verified badge/);
  await campusAddress.fill('gina');
  await getButton('Send Code').click();
  await expectText('Please enter a valid email address.');
  await campusAddress.fill('gina@home.example');
  await expectText('Only @usc.edu email addresses are allowed.');
  await expect.element(campusAddress).toHaveFocus();
  await campusAddress.fill('gina@usc.edu');
  api.answer(calls.requestCampusCode, () => {
    throw refuse('rate_limited');
  });
  await getButton('Send Code').click();
  await expect
    .element(campusAddressSection.getByRole('alert'))
    .toHaveTextContent('Too many requests. Try again in a few minutes.');
  await expect.element(campusAddress).toHaveValue('gina@usc.edu');

  api.answer(calls.requestCampusCode, () => {
    profile = { ...privateAccount, campus_address: pending };
    return profile;
  });
  await getButton('Send Code').click();
  await expect.element(code).toHaveFocus();
  await expectText('gina@usc.edu');
  api.answer(calls.verifyCampusAddress, () => {
    throw refuse('code_invalid');
  });
  await code.fill('000000');
  await expectText('Invalid or expired code.');
  await expect.element(code).toHaveValue('');
});

test('where the sign-on is required, it gives the badge instead of a code', async () => {
  profile = { ...privateAccount, campus_address: pending };
  await openScreen(getSettingsPath('campus-address'), { '/profile': Profile }, signOnCampus);
  const link = page.getByRole('link', { name: 'Connect USC NetID to get the verified badge' });
  await expect.element(link).toHaveAttribute('href', getSettingsPath('security'));
  expect(campusAddress.query()).toBeNull();
  expect(code.query()).toBeNull();

  await expectText('gina@usc.edu is not verified.');
  api.answer(calls.removeCampusAddress, () => {
    profile = privateAccount;
    return profile;
  });
  const cancel = campusAddressSection.getByRole('button', { name: 'Cancel' });
  await cancel.click();
  await expect.element(cancel).not.toBeInTheDocument();
  await expect.element(link).toBeVisible();
  expect(campusAddressSection.element().contains(document.activeElement)).toBe(true);
});

test('the profile asks for the required sign-on only until it is connected', async () => {
  profile = { ...privateAccount, avatar_url: recorded.avatar_url ?? '/a.webp', bio: 'I study music.' };
  await openScreen('/profile', { '/profile': Profile }, signOnCampus);
  await expect
    .element(page.getByRole('link', { name: 'Connect USC NetID to earn the verified badge.' }))
    .toBeVisible();
  // Another tab connects it.
  const session = createTestSession();
  const identities = [{ provider: signOnProviderName }];
  storeSession({ ...session, user: { ...session.user, identities } });
  await expectText('You get the verified badge when USC NetID confirms that you are a member of the campus.');
  expect(page.getByRole('link', { name: /^Connect/ }).query()).toBeNull();
});

test('a campus address whose code is not entered yet can be replaced or canceled', async () => {
  profile = { ...privateAccount, campus_address: pending };
  await openSettings('campus-address');
  await expectText(/It expires after 10 minutes\./);
  await expect.element(getButton('Resend code')).toBeEnabled();
  await getButton('Use another address').click();
  await expect.element(campusAddress).toHaveValue('gina@usc.edu');

  const { unmount } = await openSettings('campus-address');
  api.answer(calls.removeCampusAddress, throwNetworkFailure);
  await campusAddressSection.getByRole('button', { name: 'Cancel' }).last().click();
  await expectText(unavailableSentence);
  api.answer(calls.removeCampusAddress, () => {
    profile = privateAccount;
    return profile;
  });
  await campusAddressSection.getByRole('button', { name: 'Cancel' }).last().click();
  await expect.element(campusAddress.last()).toHaveValue('');
  await unmount();
});

test('a campus code that was requested moments ago can still be entered after going back', async () => {
  profile = { ...privateAccount, campus_address: pending };
  await openSettings('campus-address');
  api.answer(calls.requestCampusCode, () => {
    throw refuse('rate_limited', { resend_after: 12 });
  });
  await getButton('Resend code').click();
  await expect.element(getButton('Resend code in 12s')).toBeDisabled();
  await getButton('Use another address').click();
  await campusAddress.fill('gina.g@usc.edu');
  await getButton('Send Code').click();
  await expect
    .element(campusAddressSection.getByRole('alert'))
    .toHaveTextContent('You can request another code in 12 seconds.');
  await campusAddress.fill('gina@usc.edu');
  await getButton('Send Code').click();
  await expect.element(getButton('Resend code in 12s')).toBeDisabled();
  await expect.element(code).toBeVisible();
});

test('removing a campus address asks first, and takes the badge away', async () => {
  profile = {
    ...privateAccount,
    usc_verified: true,
    campus_address: { ...pending, verified_at: '2026-03-02T18:00:00Z' },
  };
  await openSettings('campus-address');
  const remove = campusAddressSection.getByRole('button', { name: 'Remove' });
  await remove.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await remove.click();
  api.answer(calls.removeCampusAddress, throwNetworkFailure);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expectText(unavailableSentence);
  api.answer(calls.removeCampusAddress, () => {
    profile = privateAccount;
    return profile;
  });
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect.element(campusAddress).toHaveValue('');
  await expect.element(page.getByText('Verified')).not.toBeInTheDocument();
});

test('somebody who logs in with a campus address has nothing to add', async () => {
  await openSettings('campus-address');
  await expectText('You log in with your USC address, so there is nothing to add.');
  await expect.element(campusAddressSection.getByText('Verified')).toBeVisible();
  await expect.element(campusAddress).not.toBeInTheDocument();
});

const newPassword = page.getByRole('textbox', { name: 'New password' });
const confirmation = page.getByRole('textbox', { name: 'Confirm new password' });
const reauthenticationNeeded = () =>
  Response.json(
    { code: 400, error_code: 'reauthentication_needed', msg: 'Please log in again' },
    { status: 400 },
  );

test('a log-in long ago must be confirmed with the current password', async () => {
  api.answer(undeclaredCalls.updateAuthUser, ({ body }) => {
    if ((body as { current_password?: string }).current_password !== 'cardinal-and-gold-1')
      throw reauthenticationNeeded();
    return user;
  });
  await openSettings('security');
  await newPassword.fill('gold-and-cardinal-2');
  await confirmation.fill('something-else-3');
  await getButton('Change Password').click();
  await expectText('Passwords do not match');
  await confirmation.fill('gold-and-cardinal-2');
  await getButton('Change Password').click();
  const current = page.getByRole('textbox', { name: 'Current password' });
  await expect.element(current).toHaveFocus();
  await current.fill('not-my-password-1');
  await getButton('Change Password').click();
  await expectText('This is not your current password');
  await current.fill('cardinal-and-gold-1');
  await getButton('Change Password').click();
  await expectText('Password updated successfully!');
  await expect.element(current).not.toBeInTheDocument();
});

test('an account without a password sets one after it has confirmed an emailed code', async () => {
  const withoutPassword = { ...user, app_metadata: { has_password: false } };
  storeSession({ ...createTestSession(), user: withoutPassword });
  let isConfirmed = false;
  api.answer(undeclaredCalls.updateAuthUser, () => {
    if (!isConfirmed) throw reauthenticationNeeded();
    return user;
  });
  api.answer(calls.sendOtp, { success: true });
  api.answer(calls.reauthenticate, () => {
    isConfirmed = true;
    return { success: true as const };
  });
  await openSettings('security');
  await expectText(/^Your account has no password yet: you log in with emailed codes\./);
  await newPassword.fill('an-owner-chose-this-1');
  await confirmation.fill('an-owner-chose-this-1');
  await getButton('Set Password').click();
  await getButton('Email me a code').click();
  await code.fill('123456');
  await expectText('Password updated successfully!');
  await expect.element(getButton('Change Password')).toBeVisible();
});

test('a failed download and a failed account deletion say so, and lose nothing', async () => {
  api.answer(calls.downloadMyData, throwNetworkFailure);
  await openSettings('account');
  await getButton('Download my data').click();
  await expectText(unavailableSentence);

  const openDialog = () => page.getByRole('button', { name: 'Delete Account' }).first().click();
  const word = dialog.getByRole('textbox', { name: 'Type DELETE to confirm' });
  const confirm = dialog.getByRole('button', { name: 'Delete Account' });
  await openDialog();
  await expect.element(word).toHaveFocus();
  await expect.element(dialog).toHaveAccessibleDescription('This cannot be undone.');
  await expectText(/Open offers and holds end\./);
  for (const wrong of ['', 'delete']) {
    await word.fill(wrong);
    await confirm.click();
    await expect.element(word).toHaveAttribute('aria-invalid', 'true');
    await expect.element(word).toHaveFocus();
  }
  expect(api.listRequests(calls.deleteMe)).toEqual([]);
  api.answer(calls.deleteMe, throwNetworkFailure);
  await word.fill('DELETE');
  await confirm.click();
  await expect.element(dialog.getByText(unavailableSentence)).toBeVisible();
  await expect.element(word).toHaveValue('DELETE');
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const getLink = (name: string | RegExp) => page.getByRole('link', { name });

test('on a phone, the profile is a list, and the settings are a list of pages', async () => {
  await page.viewport(360, 740);
  await openScreen('/profile', { '/profile': Profile });
  await expect.element(getLink('My Listings')).toHaveAttribute('href', '/my-listings');
  await expect.element(getLink('Saved')).toHaveAttribute('href', '/saved');
  await expect.element(getLink('Handovers')).toHaveAttribute('href', '/handovers');
  await expect.element(getLink('Reviews and public profile')).toHaveAttribute('href', `/users/${profile.id}`);
  await expect.element(page.getByRole('tab')).not.toBeInTheDocument();
  expect(api.listRequests(calls.listMyListings)).toEqual([]);

  await getLink('Settings').click();
  await expect.element(heading('Settings')).toHaveFocus();
  await getLink('Notifications').click();
  await expect.element(heading('Notifications')).toHaveFocus();
  await expect.element(address).toHaveTextContent('/profile?tab=settings&page=notifications');
  await expect.element(page.getByRole('checkbox', { name: 'Reviews: Email' })).toBeVisible();
  await getLink('Back to Settings').click();
  await getLink(/^Privacy/).click();
  await expect.element(page.getByRole('switch', { name: 'Show my full name' })).toBeVisible();
  await getLink('Back to Settings').click();
  await expect.element(heading('Settings')).toBeVisible();
  await getLink('Back to the profile').click();
  await expect.element(address).toHaveTextContent('/profile');
  await expect.element(getButton('Logout')).toBeVisible();
});

test('a click with Ctrl on the link to the screen above is left to the browser', async () => {
  await page.viewport(360, 740);
  await openSettings();
  await getLink(/^Privacy/).click();
  await expect.element(getLink('Back to Settings')).toBeVisible();
  let isHandled: boolean | undefined;
  window.addEventListener(
    'click',
    (event) => {
      isHandled = event.defaultPrevented;
      event.preventDefault();
    },
    { once: true },
  );
  const click = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true });
  getLink('Back to Settings').element().dispatchEvent(click);
  expect(isHandled).toBe(false);
});

test('on a phone, a link to the settings or to one of their pages leads there, and from there to what is above', async () => {
  await page.viewport(360, 740);
  const { unmount } = await openSettings();
  await expect.element(heading('Settings')).toBeInViewport();
  await expect.element(getLink('Notifications')).toBeInViewport();
  await unmount();
  await openSettings('theme');
  await expect.element(getButton('Dark theme')).toBeInViewport();
  await getLink('Back to Settings').click();
  await getLink('Back to the profile').click();
  await expect.element(getLink('Settings')).toBeVisible();
});

test('on a phone, a tab of the profile is a screen', async () => {
  await page.viewport(360, 740);
  await openScreen('/profile?tab=listings', { '/profile': Profile });
  await expect.element(heading('My Listings')).toBeVisible();
  await expect.element(getLink('View All')).toHaveAttribute('href', '/my-listings');
});

test('in a wide window, the pages of the settings are beside the open one', async () => {
  await openSettings();
  await expect.element(getLink('Notifications')).toHaveAttribute('aria-current', 'page');
  await expect.element(page.getByRole('checkbox', { name: 'Reviews: Email' })).toBeVisible();
  await getLink('Your data').click();
  await expect.element(getButton('Delete Account')).toBeVisible();
  await expect.element(address).toHaveTextContent('/profile?tab=settings&page=account');
  await expect.element(getLink('Your data')).toHaveAttribute('aria-current', 'page');
  await expect.element(page.getByRole('tab', { name: 'Settings' })).toHaveAttribute('aria-selected', 'true');
});

test('boxes for push notifications can be ticked once a device gets them', async () => {
  const devices = getRecorded('listPushSubscriptions');
  const box = page.getByRole('checkbox', { name: 'Messages: Push' });
  const reason = 'To choose push notifications, turn them on for a device below.';
  api.answer(calls.listPushSubscriptions, { ...devices, items: [] });
  const { unmount } = await openSettings('notifications');
  await expect.element(box).toBeDisabled();
  await expect.element(box).not.toBeChecked();
  await expect.element(box).toHaveAccessibleDescription(reason);
  await expect.element(page.getByRole('checkbox', { name: 'Messages: Email' })).toBeEnabled();
  await unmount();

  queryClient.clear();
  const device = { device_name: 'Chrome on Android', created_at: pending.requested_at, last_used_at: null };
  const items = [{ ...device, id: crypto.randomUUID(), is_current: false }];
  api.answer(calls.listPushSubscriptions, { ...devices, items });
  await openSettings('notifications');
  await expect.element(box).toBeEnabled();
  await expect.element(box).toBeChecked();
  await expect.element(page.getByText(reason)).not.toBeInTheDocument();
});

test('leaving a page keeps a typed campus address, and says that a typed password is lost', async () => {
  profile = privateAccount;
  await openSettings('campus-address');
  await campusAddress.fill('gina@usc.edu');
  await getLink('Log-in and security').click();
  await newPassword.fill('gold-and-cardinal-2');
  await getLink('Campus address').click();
  await expectText('Your password was not changed');
  await expect.element(campusAddress).toHaveValue('gina@usc.edu');
});

const membership = {
  due_on: '2027-03-02',
  ends_on: null,
  has_ended: false,
  can_confirm: true,
  is_asked: false,
};

test.for([
  { change: {}, text: 'Once a year we ask whether you are still at USC. The next time is before March 2.' },
  { change: { is_asked: true }, text: 'Please confirm by March 2 that you are still at USC.' },
  { change: { ends_on: '2027-04-01' }, text: /^Your campus membership ends on April 1\./ },
  { change: { has_ended: true }, text: /^Your campus membership has ended\./ },
])('a membership with $change can be confirmed by a link that is mailed', async ({ change, text }) => {
  profile = { ...recorded, usc_verified: !change.has_ended, membership: { ...membership, ...change } };
  await openSettings('campus-address');
  await expectText(text);
  await expect.element(page.getByText(/badge was removed/)).not.toBeInTheDocument();
  api.answer(calls.requestMembershipLink, () => {
    throw refuse('membership_unconfirmable');
  });
  await getButton('Confirm now').click();
  await expectText(/^This membership cannot be confirmed by email/);
  api.answer(calls.requestMembershipLink, { success: true });
  await getButton('Confirm now').click();
  await expectText(profile.email);
  await expect.element(getButton('Confirm now')).not.toBeInTheDocument();
});

test('a membership that the university denies cannot be confirmed by email', async () => {
  profile = { ...recorded, membership: { ...membership, ends_on: '2027-04-01', can_confirm: false } };
  await openSettings('campus-address');
  await expectText(/^Your campus membership ends on April 1\./);
  await expect.element(getButton('Confirm now')).not.toBeInTheDocument();
});
