import type { PushSubject } from '#contract/push.ts';
import { findPushContent, type PushSources } from './sources.ts';

/**
 * Returns a function that checks which of the given subjects a person has not read yet. The browser closes
 * the push notifications about all others, which the person has read elsewhere.
 */
export const createUnreadPushChecker =
  (sources: PushSources) =>
  (userId: string, subjects: readonly PushSubject[]): Promise<boolean[]> =>
    Promise.all(
      subjects.map(async (subject) => (await findPushContent(sources, userId, subject)) !== undefined),
    );
