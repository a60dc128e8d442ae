import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';
import { patterns } from './lib/links.ts';

export default [
  index('routes/home.tsx'),
  route(patterns.category, 'routes/category.tsx'),
  route(patterns.listing, 'routes/listing.tsx'),
  // The listing screen at its second URL (specification §2).
  route(patterns.product, 'routes/listing.tsx', { id: 'routes/product' }),
  route(patterns.search, 'routes/search.tsx'),

  route(patterns.login, 'routes/login.tsx'),
  route(patterns.signup, 'routes/signup.tsx'),
  route(patterns.forgotPassword, 'routes/forgot-password.tsx'),
  route(patterns.resetPassword, 'routes/reset-password.tsx'),
  route(patterns.authCallback, 'routes/auth-callback.tsx'),

  layout('routes/guarded.tsx', [
    route(patterns.profile, 'routes/profile.tsx'),
    route(patterns.profileEdit, 'routes/profile-edit.tsx'),
    route(patterns.profileSetup, 'routes/profile-setup.tsx'),
    route(patterns.postAd, 'routes/post-ad.tsx'),
    route(patterns.myListings, 'routes/my-listings.tsx'),
    route(patterns.messages, 'routes/messages.tsx'),
  ]),

  route(patterns.safety, 'routes/safety.tsx'),
  route(patterns.guidelines, 'routes/guidelines.tsx'),
  route(patterns.howItWorks, 'routes/how-it-works.tsx'),
  route(patterns.contact, 'routes/contact.tsx'),
  route(patterns.about, 'routes/about.tsx'),
  route(patterns.careers, 'routes/careers.tsx'),
  route(patterns.terms, 'routes/terms.tsx'),
  route(patterns.privacy, 'routes/privacy.tsx'),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
