import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';
import { routePatterns } from './lib/links.ts';

export default [
  index('routes/home.tsx'),
  route(routePatterns.category, 'routes/category.tsx'),
  route(routePatterns.course, 'routes/course.tsx'),
  route(routePatterns.listing, 'routes/listing.tsx'),
  // The listing screen at its second URL (specification §2).
  route(routePatterns.product, 'routes/listing.tsx', { id: 'routes/product' }),
  route(routePatterns.user, 'routes/user.tsx'),
  route(routePatterns.search, 'routes/search.tsx'),
  route(routePatterns.browse, 'routes/browse.tsx'),

  route(routePatterns.login, 'routes/login.tsx'),
  route(routePatterns.signup, 'routes/signup.tsx'),
  route(routePatterns.forgotPassword, 'routes/forgot-password.tsx'),
  route(routePatterns.resetPassword, 'routes/reset-password.tsx'),
  route(routePatterns.appeal, 'routes/appeal.tsx'),
  route(routePatterns.authCallback, 'routes/auth-callback.tsx'),

  layout('routes/login-guard.tsx', [
    route(routePatterns.profile, 'routes/profile.tsx'),
    route(routePatterns.profileEdit, 'routes/profile-edit.tsx'),
    route(routePatterns.profileSetup, 'routes/profile-setup.tsx'),
    route(routePatterns.postAd, 'routes/post-ad.tsx'),
    route(routePatterns.myListings, 'routes/my-listings.tsx'),
    route(routePatterns.saved, 'routes/saved.tsx'),
    route(routePatterns.notifications, 'routes/notifications.tsx'),
    route(routePatterns.decisions, 'routes/decisions.tsx'),
    route(routePatterns.messages, 'routes/messages.tsx'),
    route(routePatterns.handovers, 'routes/handovers.tsx'),
    route(routePatterns.moderation, 'routes/moderation.tsx'),
  ]),

  route(routePatterns.safety, 'routes/safety.tsx'),
  route(routePatterns.guidelines, 'routes/guidelines.tsx'),
  route(routePatterns.howItWorks, 'routes/how-it-works.tsx'),
  route(routePatterns.contact, 'routes/contact.tsx'),
  route(routePatterns.about, 'routes/about.tsx'),
  route(routePatterns.careers, 'routes/careers.tsx'),
  route(routePatterns.terms, 'routes/terms.tsx'),
  route(routePatterns.privacy, 'routes/privacy.tsx'),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
