import type { App } from '#server/app.ts';
import { createAnnouncementCache } from '#server/features/announcements/public.ts';
import { createMessageBatcher } from '#server/features/conversations/public.ts';
import { reactions } from '#server/reactions.ts';

/** The members of an App that `createApp` adds unless they are given. */
type AddedMember = 'actor' | 'announcementCache' | 'messageBatcher' | 'reactions';

/** The members of an App that are outside of the application, or that a test replaces. */
export type Surroundings = Omit<App, AddedMember> & Partial<Pick<App, AddedMember>>;

/** Creates the App of a process. Has no side effects. */
export const createApp = (surroundings: Surroundings): App => ({
  actor: undefined,
  announcementCache: createAnnouncementCache(surroundings),
  messageBatcher: createMessageBatcher(surroundings),
  reactions,
  signingKeys: createSigningKeyCache(),
  verifiedTokens: createVerifiedTokenCache(),
  activeSessions: createSessionCache(),
  ...surroundings,
});
