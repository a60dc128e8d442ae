import { privateScreens } from './private-screens.ts';

/** The pages of the settings, in the order of their list. Each has an address of its own. */
export const settingsPages = [
  'notifications',
  'away',
  'privacy',
  'security',
  'campus-address',
  'theme',
  'account',
] as const;
export type SettingsPage = (typeof settingsPages)[number];

/** Returns the path of a page of the settings or, without a page, of the settings. */
export const getSettingsPath = (page?: SettingsPage): string =>
  `${privateScreens.profile}?tab=settings${page ? `&page=${page}` : ''}`;
