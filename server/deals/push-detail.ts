import type { DealNoticeKind } from '#server/mail/public.ts';

/** Returns the text that names a notice of a deal among the push notifications that are due. */
export const toPushDetail = (kind: DealNoticeKind, at: Date): string => `${kind} ${at.toISOString()}`;

/** Returns the notice that `toPushDetail` named. */
export const parsePushDetail = (detail: string): { kind: DealNoticeKind; at: string } => {
  const [kind, at] = detail.split(' ') as [DealNoticeKind, string];
  return { kind, at };
};
