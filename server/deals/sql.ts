import { addSeconds } from '#server/platform/clock.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/** How soon a handover must be for people to be told about its deal in quiet hours, in seconds. */
export const urgentHandoverSeconds = 3 * 3600;

/**
 * Returns the SQL condition that the deal with this id, or one of the conversation with this id, has a handover that is
 * urgent at `now`.
 */
export const toHandoverSoonCondition = (
  { dealId, conversationId }: { dealId: Fragment; conversationId: Fragment },
  now: Date,
): Fragment => {
  const isSoon = fragment`BETWEEN ${now} AND ${addSeconds(now, urgentHandoverSeconds)}`;
  return fragment`(EXISTS (SELECT FROM deals WHERE id = ${dealId} AND handover_at ${isSoon})
    OR EXISTS (SELECT FROM deals WHERE conversation_id = ${conversationId} AND handover_at ${isSoon}))`;
};
