import type { NotificationKind } from '#contract/notifications.ts';
import type { PushPayload, PushSourceName, PushSubject } from '#contract/push.ts';

/** What a push notification is about and for whom; asks a source what the notification should say. */
export interface PushQuestion {
  userId: string;
  subjectId: string;
  kind: NotificationKind;
  /** Names the notice of a deal; empty otherwise. */
  detail: string;
}

/** What a source knows about a push notification. */
export type PushContent = Omit<PushPayload, 'subject'>;

/** Reads what a push notification says at the moment of sending. */
export interface PushSource {
  /** Returns undefined when it was read in the meantime or no longer applies. */
  findPush(question: PushQuestion): Promise<PushContent | undefined>;
}

export type PushSources = Record<PushSourceName, PushSource>;

/** Returns what a push notification about this subject says now; undefined when it was read or no longer applies. */
export const findPushContent = (
  sources: PushSources,
  userId: string,
  { source, subject_id: subjectId, kind, detail }: PushSubject,
): Promise<PushContent | undefined> => sources[source].findPush({ userId, subjectId, kind, detail });
