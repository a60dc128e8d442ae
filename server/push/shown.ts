import type { PushSubject } from '#contract/push.ts';
import { findPushContent, type PushSources } from './sources.ts';

/**
 * Returns the function that says which of these subjects a person has not read yet, so that a browser can close the push
 * notifications that were read elsewhere.
 */
export const createShownPushCheck =
  (sources: PushSources) =>
  (userId: string, subjects: readonly PushSubject[]): Promise<boolean[]> =>
    Promise.all(
      subjects.map(async (subject) => (await findPushContent(sources, userId, subject)) !== undefined),
    );
