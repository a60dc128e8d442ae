import type { App } from '#server/app.ts';
import { reactions } from '#server/reactions.ts';

/** The members of an App that are outside of the application, or that a test replaces. */
export type Surroundings = Omit<App, 'actor' | 'reactions'> & Partial<Pick<App, 'actor' | 'reactions'>>;

/** Creates the App of a process. Has no side effects. */
export const createApp = (surroundings: Surroundings): App => ({
  actor: undefined,
  reactions,
  ...surroundings,
});
