import type { Category } from '#contract/categories.ts';

/** The route pattern of every screen. */
export const patterns = {
  category: '/category/:category',
  listing: '/listing/:slug',
  product: '/product/:slug',
  search: '/search',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password/:token?',
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

/** Static text pages, which change only with a new build. */
export const textPages: readonly string[] = [
  patterns.safety,
  patterns.guidelines,
  patterns.howItWorks,
  patterns.contact,
  patterns.about,
  patterns.careers,
  patterns.terms,
  patterns.privacy,
];

/** The account forms, which are the same for everybody. */
export const accountForms: readonly string[] = [patterns.login, patterns.signup, patterns.forgotPassword];

/** Builds the links to all screens. */
export const links = {
  home: '/',
  category: (category: Category | (string & {})): string => `/category/${encodeURIComponent(category)}`,
  listing: (slug: string): string => `/listing/${encodeURIComponent(slug)}`,
  /** The same screen as `listing`; cards link here (specification §2). */
  product: (slug: string): string => `/product/${encodeURIComponent(slug)}`,
  search: (query?: string): string => (query ? `/search?${new URLSearchParams({ q: query })}` : '/search'),
  postAd: '/post-ad',
  myListings: '/my-listings',
  editListing: (id: string): string => `/post-ad?edit=${encodeURIComponent(id)}`,
} as const;
