import type { Category } from '#contract/categories.ts';

/** The paths of screens without parameters. */
const screens = {
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  authCallback: '/auth/callback',
  profile: '/profile',
  profileEdit: '/profile/edit',
  profileSetup: '/profile-setup',
  postAd: '/post-ad',
  myListings: '/my-listings',
  messages: '/messages',
  safety: '/safety',
  guidelines: '/guidelines',
  howItWorks: '/how-it-works',
  contact: '/contact',
  about: '/about',
  careers: '/careers',
  terms: '/terms',
  privacy: '/privacy',
} as const;

/** The route pattern of every screen. */
export const patterns = {
  category: '/category/:category',
  listing: '/listing/:slug',
  product: '/product/:slug',
  search: '/search',
  resetPassword: '/reset-password/:token?',
  ...screens,
} as const;

/** Paths of static text pages, which change only with a new build. */
export const textPages: readonly string[] = [
  screens.safety,
  screens.guidelines,
  screens.howItWorks,
  screens.contact,
  screens.about,
  screens.careers,
  screens.terms,
  screens.privacy,
];

/** Paths of the account forms, whose HTML is the same for every visitor. */
export const accountForms: readonly string[] = [screens.login, screens.signup, screens.forgotPassword];

/** Paths of all screens. `npm run check` enforces that components write no path literals. */
export const links = {
  ...screens,
  home: '/',
  category: (category: Category | (string & {})): string => `/category/${encodeURIComponent(category)}`,
  listing: (slug: string): string => `/listing/${encodeURIComponent(slug)}`,
  /** Opens the same screen as `listing`; listing cards use this path (specification §2). */
  product: (slug: string): string => `/product/${encodeURIComponent(slug)}`,
  search: (query?: string): string =>
    query ? `${patterns.search}?${new URLSearchParams({ q: query })}` : patterns.search,
  editListing: (id: string): string => `${screens.postAd}?edit=${encodeURIComponent(id)}`,
  conversation: (id: string): string => `${screens.messages}?c=${encodeURIComponent(id)}`,
} as const;
