import { buildConversationPath } from '#contract/conversations.ts';
import type { App } from '#server/app.ts';
import { summarizeDealNotice } from '#server/mail/public.ts';
import { listApplicableNotices } from './notice-source.ts';
import { parseNoticePushDetail } from './push-detail.ts';

/**
 * Returns the content of a push notification with a reminder, warning or question about a deal, or undefined when it no
 * longer applies.
 */
export const findDealPush = async (
  app: App,
  { userId, subjectId, detail }: { userId: string; subjectId: string; detail: string },
) => {
  const notice = { dealId: subjectId, ...parseNoticePushDetail(detail) };
  const [facts] = await listApplicableNotices(app, userId, [notice], app.clock.now());
  return (
    facts && {
      ...summarizeDealNotice(facts, app.config),
      path: buildConversationPath(facts.conversationId),
      tag: `notice:${subjectId}`,
    }
  );
};
