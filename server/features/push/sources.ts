import type { PushSubject } from '#contract/push.ts';
import type { App } from '#server/app.ts';
import { findConversationPush, findDealPush } from '#server/bridges.ts';
import { findNotificationPush, type PushContent } from '#server/features/notifications/public.ts';

/**
 * Returns the current content of a push notification about this subject, or undefined when the subject has
 * been read or the notification no longer applies.
 */
export const findPushContent = (
  app: App,
  userId: string,
  { source, subject_id: subjectId, kind, detail }: PushSubject,
): Promise<PushContent | undefined> => {
  switch (source) {
    case 'conversation':
      return findConversationPush(app, { userId, subjectId, kind });
    case 'notification':
      return findNotificationPush(app, { userId, subjectId });
    case 'deal':
      return findDealPush(app, { userId, subjectId, detail });
  }
};
