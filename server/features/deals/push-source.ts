import type { Campus } from '#contract/campus.ts';
import { buildConversationPath } from '#contract/conversations.ts';
import type { PushSource } from '#server/features/push/public.ts';
import { summarizeDealNotice } from '#server/mail/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { listApplicableNotices } from './notice-source.ts';
import { parseNoticePushDetail } from './push-detail.ts';

/** Creates the source of push notifications about reminders, warnings and questions of deals. */
export const createDealPushSource = ({
  sql,
  clock,
  campus,
  publicUrl,
}: {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  publicUrl: string;
}): PushSource => ({
  findPush: async ({ userId, subjectId, detail }) => {
    const notice = { dealId: subjectId, ...parseNoticePushDetail(detail) };
    const [facts] = await listApplicableNotices({ sql, campus }, userId, [notice], clock.now());
    return (
      facts && {
        ...summarizeDealNotice(facts, { campus, publicUrl }),
        path: buildConversationPath(facts.conversationId),
        tag: `notice:${subjectId}`,
      }
    );
  },
});
