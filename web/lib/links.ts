import type { Category } from '#contract/categories.ts';
import { buildCoursePath } from '#contract/course-path.ts';
import { privateScreens } from '#contract/private-screens.ts';
import { getSettingsPath } from '#contract/settings-pages.ts';

/** The paths of screens without parameters. */
const screenPaths = {
  browse: '/browse',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  authCallback: '/auth/callback',
  ...privateScreens,
  moderation: '/moderation',
  safety: '/safety',
  guidelines: '/guidelines',
  howItWorks: '/how-it-works',
  contact: '/contact',
  about: '/about',
  careers: '/careers',
  terms: '/terms',
  privacy: '/privacy',
} as const;

export const routePatterns = {
  category: '/category/:category',
  course: '/course/:code',
  listing: '/listing/:slug',
  product: '/product/:slug',
  user: '/users/:id',
  search: '/search',
  resetPassword: '/reset-password/:token?',
  appeal: '/appeal/:token',
  ...screenPaths,
  /** The rest of the path selects a screen within the console. */
  moderation: '/moderation/*',
} as const;

/** Paths of static text pages, which change only with a new build. */
export const textPagePaths: readonly string[] = [
  screenPaths.safety,
  screenPaths.guidelines,
  screenPaths.howItWorks,
  screenPaths.contact,
  screenPaths.about,
  screenPaths.careers,
  screenPaths.terms,
  screenPaths.privacy,
];

/** Paths of the account forms, whose HTML is the same for every visitor. */
export const accountFormPaths: readonly string[] = [
  screenPaths.login,
  screenPaths.signup,
  screenPaths.forgotPassword,
];

/** Paths of all screens. `npm run check` enforces that components write no path literals. */
export const links = {
  ...screenPaths,
  home: '/',
  settings: getSettingsPath,
  profileTab: (tab: string): string => `${screenPaths.profile}?tab=${tab}`,
  category: (category: Category | (string & {})): string => `/category/${encodeURIComponent(category)}`,
  course: buildCoursePath,
  listing: (slug: string): string => `/listing/${encodeURIComponent(slug)}`,
  /** A second URL of the listing screen, which listing cards link to (specification §2). */
  product: (slug: string): string => `/product/${encodeURIComponent(slug)}`,
  user: (id: string): string => `/users/${encodeURIComponent(id)}`,
  search: (query?: string): string =>
    query ? `${routePatterns.search}?${new URLSearchParams({ q: query })}` : routePatterns.search,
  myDrafts: `${screenPaths.myListings}?tab=drafts`,
  postWanted: `${screenPaths.postAd}?wanted`,
  editWanted: (id: string): string => `${screenPaths.postAd}?wanted=${encodeURIComponent(id)}`,
  myWanted: `${screenPaths.myListings}?tab=wanted`,
  editListing: (id: string): string => `${screenPaths.postAd}?edit=${encodeURIComponent(id)}`,
  /**
   * A link that writes to an email address. The local part is encoded, because a "?" or "," in it would add a subject or
   * another recipient.
   */
  mail: (address: string): string => {
    const at = address.lastIndexOf('@');
    return `mailto:${encodeURIComponent(address.slice(0, at))}${address.slice(at)}`;
  },
  conversation: (id: string): string => `${screenPaths.messages}?c=${encodeURIComponent(id)}`,
} as const;
