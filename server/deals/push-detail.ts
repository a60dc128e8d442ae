import type { DealNoticeKind } from '#server/mail/public.ts';

/** Encodes kind and time of a deal notice as the `detail` of a due push notification. */
export const toPushDetail = (kind: DealNoticeKind, at: Date): string => `${kind} ${at.toISOString()}`;

/** Decodes a `detail` that `toPushDetail` encoded. */
export const parsePushDetail = (detail: string): { kind: DealNoticeKind; at: string } => {
  const [kind, at] = detail.split(' ') as [DealNoticeKind, string];
  return { kind, at };
};
