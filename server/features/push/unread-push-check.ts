import type { PushSubject } from '#contract/push.ts';
import type { App } from '#server/app.ts';
import { findPushContent } from './sources.ts';

/**
 * Checks which of the given subjects a person has not read yet. The browser closes the push notifications about all
 * others, which the person has read elsewhere.
 */
export const checkUnreadSubjects = (
  app: App,
  userId: string,
  subjects: readonly PushSubject[],
): Promise<boolean[]> =>
  Promise.all(subjects.map(async (subject) => (await findPushContent(app, userId, subject)) !== undefined));
