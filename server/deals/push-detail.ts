import type { DealNoticeKind } from '#server/mail/public.ts';

/** Encodes kind and time of a deal notice as the `detail` of a due push notification. */
export const toNoticePushDetail = (kind: DealNoticeKind, at: Date): string => `${kind} ${at.toISOString()}`;

/** Decodes a `detail` that `toNoticePushDetail` encoded. */
export const parseNoticePushDetail = (detail: string): { kind: DealNoticeKind; at: string } => {
  const [kind, at] = detail.split(' ') as [DealNoticeKind, string];
  return { kind, at };
};
