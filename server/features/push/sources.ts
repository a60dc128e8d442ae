import type { PushSubject } from '#contract/push.ts';
import type { App } from '#server/app.ts';
import { findConversationPush } from '#server/features/conversations/public.ts';
import { findDealPush } from '#server/features/deals/public.ts';
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
  const request = { userId, subjectId, kind, detail };
  switch (source) {
    case 'conversation':
      return findConversationPush(app, request);
    case 'notification':
      return findNotificationPush(app, request);
    case 'deal':
      return findDealPush(app, request);
  }
};
