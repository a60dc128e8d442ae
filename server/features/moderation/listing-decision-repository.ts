import type { Transaction } from '#server/platform/postgres/database.ts';
import type { ReversedDecision } from './reversal-repository.ts';

/** Marks the decisions that took a listing down as reversed, except those with an open appeal. Returns the marked ones. */
export const markTakeDownsReversed = async (
  tx: Transaction,
  listingId: string,
  now: Date,
): Promise<ReversedDecision[]> => tx<ReversedDecision[]>`
  UPDATE private.moderation_actions a SET restored_at = ${now}
  FROM private.moderation_cases c
  WHERE c.id = a.case_id AND c.subject = 'listing' AND c.subject_id = ${listingId}
    AND c.person_id = (SELECT user_id FROM listings WHERE id = ${listingId})
    AND a.action = 'unpublish' AND a.applied_at IS NOT NULL AND a.restored_at IS NULL
    AND NOT EXISTS (SELECT FROM private.moderation_appeals p WHERE p.action_id = a.id AND p.decided_at IS NULL)
  RETURNING a.action, a.days, a.chosen_at, a.applied_at, c.id AS case_id, c.subject, c.title`;
