import type { NotificationKind } from '#contract/notifications.ts';
import type { PushPayload, PushSubject, PushSubjectType } from '#contract/push.ts';

/** A request to a source for the content of a push notification, with its recipient and subject. */
export interface PushContentRequest {
  userId: string;
  subjectId: string;
  kind: NotificationKind;
  /**
   * The kind and time of a deal notice (see `toNoticePushDetail`). It is empty for all other push
   * notifications.
   */
  detail: string;
}

/** The content of a push notification, without its subject. */
export type PushContent = Omit<PushPayload, 'subject'>;

/** Provides the content of push notifications, read at the moment of sending. */
export interface PushSource {
  /**
   * Returns the content, or undefined when the subject has been read in the meantime or the notification no
   * longer applies.
   */
  findPush(question: PushContentRequest): Promise<PushContent | undefined>;
}

export type PushSources = Record<PushSubjectType, PushSource>;

/**
 * Returns the current content of a push notification about this subject, or undefined when the subject has
 * been read or the notification no longer applies.
 */
export const findPushContent = (
  sources: PushSources,
  userId: string,
  { source, subject_id: subjectId, kind, detail }: PushSubject,
): Promise<PushContent | undefined> => sources[source].findPush({ userId, subjectId, kind, detail });
