import type { Page } from '@playwright/test';
import { getSettingsPath } from '#contract/settings-pages.ts';
import { reloadUntilReady } from './hydration.ts';
import { pushNotificationScreens } from './push-screens.ts';
import { createDialogOpener, type Screen, showSkeleton } from './screen.ts';
import { intercept } from './test.ts';

/**
 * Returns a `prepare` function that shows the settings of an account whose log-in address is not a campus
 * address. Depending on the parameter, a campus address is missing, has been added, or has been verified.
 */
const pretendCampusAddress = (state: 'none' | 'added' | 'verified') => async (page: Page) => {
  const requested_at = '2026-03-02T10:00:00.000Z';
  const verified_at = state === 'verified' ? requested_at : null;
  const campus_address =
    state === 'none' ? null : { email: 'casey.stone@usc.edu', requested_at, verified_at };
  const change = { email: 'casey.stone@example.com', usc_verified: verified_at !== null, campus_address };
  await intercept(page, '**/rest/v1/me', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...change } });
  });
  await reloadUntilReady(page);
  const section = page.getByRole('region', { name: 'Campus address' });
  await section.getByRole('button').first().waitFor();
  await section.evaluate((it) => it.scrollIntoView({ block: 'center' }));
};

const signedIn = true;

export const listProfileScreens = (): Screen[] => [
  {
    name: 'profile',
    path: '/profile',
    signedIn,
  },
  { name: 'profile-listings', path: '/profile?tab=listings', signedIn, hasDenseRows: true },
  { name: 'profile-rentals', path: '/profile?tab=rentals', signedIn },
  { name: 'profile-history', path: '/profile?tab=history', signedIn, hasDenseRows: true },
  { name: 'profile-loading', path: '/profile', signedIn, prepare: showSkeleton, screenshotOnly: true },
  { name: 'profile-edit', path: '/profile/edit', signedIn },
  { name: 'profile-setup', path: '/profile-setup', signedIn },
];

export const listSettingsScreens = (): Screen[] => [
  {
    name: 'settings-account',
    path: getSettingsPath('account'),
    signedIn,
    further: [{ name: 'delete-account', prepare: createDialogOpener(/^Delete Account/) }],
  },
  { name: 'profile-settings', path: getSettingsPath(), signedIn },
  ...(['notifications', 'away', 'privacy', 'security', 'theme'] as const).map((page) => ({
    name: `settings-${page}`,
    path: getSettingsPath(page),
    signedIn,
  })),
  ...pushNotificationScreens,
  ...(['none', 'added', 'verified'] as const).map((state) => ({
    name: `campus-address-${state}`,
    path: getSettingsPath('campus-address'),
    signedIn,
    prepare: pretendCampusAddress(state),
  })),
];
