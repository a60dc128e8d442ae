import { dealDurationSeconds } from '#contract/deal-transitions.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/** A handover within this time, in seconds, is urgent: people are notified about its deal even during quiet hours. */
export const urgentHandoverSeconds = 3 * 3600;

/**
 * Returns the SQL condition that a deal has an urgent handover at `now`, or that the parties can still say that they are
 * there or late: the deal with the id `dealId`, or a deal of the conversation with the id `conversationId`.
 */
export const toUrgentHandoverCondition = (
  { dealId, conversationId }: { dealId: Fragment; conversationId: Fragment },
  now: Date,
): Fragment => {
  const earliest = addSeconds(now, -dealDurationSeconds.arrivalAfterHandover);
  const isUrgent = fragment`BETWEEN ${earliest} AND ${addSeconds(now, urgentHandoverSeconds)}`;
  return fragment`(EXISTS (SELECT FROM deals WHERE id = ${dealId} AND handover_at ${isUrgent})
    OR EXISTS (SELECT FROM deals WHERE conversation_id = ${conversationId} AND handover_at ${isUrgent}))`;
};
