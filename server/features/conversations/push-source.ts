import { buildConversationPath } from '#contract/conversations.ts';
import type { PushSource } from '#server/features/push/public.ts';
import { toMessageExcerpt } from '#server/mail/public.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { findUnreadForPush } from './push-repository.ts';

/** Creates the source of push notifications about unread messages and unread steps of deals. */
export const createConversationPushSource = ({ sql }: { sql: Sql }): PushSource => ({
  findPush: async ({ userId, subjectId: id, kind }) => {
    const about = kind === 'deals' ? 'deals' : 'messages';
    const unread = await findUnreadForPush(sql, { id, userId, about });
    if (!unread) return undefined;
    const { listing_title: listing, other_name: name, unread_count: count, text } = unread;
    const title = about === 'deals' ? toMessageExcerpt(listing) : toMessageExcerpt(name);
    return {
      title: count === 1 || about === 'deals' ? title : `${title} (${count} new messages)`,
      text: toMessageExcerpt(text),
      path: buildConversationPath(id),
      tag: `${about}:${id}`,
    };
  },
});
