import type { Campus } from '#contract/campus.ts';
import type { PushSource } from '#server/features/push/public.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { toCurrentNotification } from './relevance.ts';
import { listUnreadNotifications } from './repository.ts';
import { renderNotification } from './texts.ts';

/** Creates the source of push notifications that repeat an entry in a person's list of notifications. */
export const createNotificationPushSource = ({ sql, campus }: { sql: Sql; campus: Campus }): PushSource => ({
  findPush: async ({ userId, subjectId }) => {
    const [row] = await listUnreadNotifications(sql, userId, [subjectId]);
    const current = row && toCurrentNotification(row);
    if (!current) return undefined;
    return { ...renderNotification(current, userId, campus), tag: `notification:${subjectId}` };
  },
});
