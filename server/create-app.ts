import type { App } from '#server/app.ts';
import {
  authenticate,
  createSessionCache,
  createSigningKeyCache,
  createVerifiedTokenCache,
  requireConsoleRole,
} from '#server/features/accounts/public.ts';
import { createAnnouncementCache } from '#server/features/announcements/public.ts';
import { createMessageBatcher } from '#server/features/conversations/public.ts';
import { createResumeChecker } from '#server/features/forms/public.ts';
import { createMatchCountCache, createSharedListingReads } from '#server/features/listings/public.ts';
import { createOverviewCache } from '#server/features/moderation/public.ts';
import { createHiddenPhotos, defaultUploadTiming } from '#server/features/photos/public.ts';
import { createPushConnections, createPushThrottle } from '#server/features/push/public.ts';
import { reactions } from '#server/reactions.ts';

/** The members of an App that are outside of the application. */
type OutsideMember =
  | 'config'
  | 'sql'
  | 'search'
  | 'clock'
  | 'bus'
  | 'jobs'
  | 'mail'
  | 'files'
  | 'images'
  | 'secrets'
  | 'log'
  | 'limits';

/** What an App is created from, and the members that a test replaces. */
export type Surroundings = Pick<App, OutsideMember> & Partial<App>;

/** Creates the App of a process. Has no side effects. */
export const createApp = (surroundings: Surroundings): App => ({
  actor: undefined,
  reactions,
  activeSessions: createSessionCache(),
  announcementCache: createAnnouncementCache(surroundings),
  hiddenPhotos: createHiddenPhotos(surroundings),
  matchCounts: createMatchCountCache(surroundings.bus, surroundings.clock),
  messageBatcher: createMessageBatcher(surroundings),
  overviewCache: createOverviewCache(),
  pushConnections: createPushConnections(),
  pushThrottle: createPushThrottle(surroundings.clock),
  resumeChecker: createResumeChecker(),
  sessionChecks: { authenticate, requireConsoleRole },
  sharedReads: createSharedListingReads(),
  signingKeys: createSigningKeyCache(),
  signOnProvider: {},
  uploadTiming: defaultUploadTiming,
  vapidKeyCache: {},
  verifiedTokens: createVerifiedTokenCache(),
  ...surroundings,
});
