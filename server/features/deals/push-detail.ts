import type { DealNoticeKind } from '#server/mail/public.ts';

/** Encodes the kind and time of a deal notice in the `detail` text of a queued push notification. */
export const toNoticePushDetail = (kind: DealNoticeKind, at: Date): string => `${kind} ${at.toISOString()}`;

/** Decodes a `detail` that `toNoticePushDetail` encoded. */
export const parseNoticePushDetail = (detail: string): { kind: DealNoticeKind; at: string } => {
  const [kind, at] = detail.split(' ') as [DealNoticeKind, string];
  return { kind, at };
};
