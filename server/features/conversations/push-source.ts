import { buildConversationPath, unsentMessageText } from '#contract/conversations.ts';
import { unsentPushDetail } from '#contract/pwa.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import type { App } from '#server/app.ts';
import type { PushContent, PushContentRequest } from '#server/features/notifications/public.ts';
import { toMessageExcerpt } from '#server/mail/public.ts';
import { findNameOfUnreadAuthor, findUnreadForPush } from './push-repository.ts';

/**
 * Returns the content of a push notification about unread messages or unread transitions of deals, if there still are any.
 * With the detail `unsent`, it replaces one about a message that was unsent.
 */
export const findConversationPush = async (
  { sql, clock }: App,
  { userId, subjectId: id, kind, detail }: PushContentRequest,
): Promise<PushContent | undefined> => {
  const about = kind === 'deals' ? 'deals' : 'messages';
  const unread = await findUnreadForPush(sql, { id, userId, about, now: clock.now() });
  if (!unread) {
    const author =
      detail === unsentPushDetail && (await findNameOfUnreadAuthor(sql, { id, userId, now: clock.now() }));
    if (!author) return undefined;
    const title = toMessageExcerpt(author);
    return { title, text: unsentMessageText, path: buildConversationPath(id), tag: `${about}:${id}` };
  }
  const { listing_title: listing, other_name: name, unread_count: count, text } = unread;
  const title = about === 'deals' ? toMessageExcerpt(listing) : toMessageExcerpt(name);
  return {
    title: count === 1 || about === 'deals' ? title : `${isolateDirection(title)} (${count} new messages)`,
    text: toMessageExcerpt(text),
    path: buildConversationPath(id),
    tag: `${about}:${id}`,
  };
};
