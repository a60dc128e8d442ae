import type { Category } from '#contract/categories.ts';

/** Every screen's pattern, as the route table mounts it. */
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

/** Where a link to a screen leads. */
export const links = {
  home: '/',
  category: (category: Category | (string & {})): string => `/category/${encodeURIComponent(category)}`,
  listing: (slug: string): string => `/listing/${encodeURIComponent(slug)}`,
  /** The same screen as `listing`: where cards lead (§2). */
  product: (slug: string): string => `/product/${encodeURIComponent(slug)}`,
  search: (query?: string): string => (query ? `/search?${new URLSearchParams({ q: query })}` : '/search'),
  postAd: '/post-ad',
  myListings: '/my-listings',
  editListing: (id: string): string => `/post-ad?edit=${encodeURIComponent(id)}`,
} as const;
