import type { ListingStatus } from '#contract/listings.ts';
import type { CaseAction } from '#contract/moderation.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { toListingVersion } from './listing-version.ts';
import type { QuotedSubject } from './quote-repository.ts';

interface RecordedAction {
  action: CaseAction;
  reason: string;
  actorName: string;
  /** The status of the listing before the action. */
  status: ListingStatus;
}

/** Stores an action that has taken effect, in a resolved case of its own. Returns the id of the case. */
export const recordListingAction = async (
  tx: Transaction,
  { subjectId, personId, title, content, photos }: QuotedSubject,
  { action, reason, actorName, status }: RecordedAction,
  now: Date,
): Promise<string> => {
  const version = content.subject === 'listing' ? toListingVersion({ ...content, photos }) : null;
  const [row] = await tx<{ case_id: string }[]>`
    WITH decided AS (
      INSERT INTO private.moderation_cases (subject, subject_id, person_id, title, risk, opened_at, updated_at, resolved_at)
      VALUES ('listing', ${subjectId}, ${personId}, ${title}, 1, ${now}, ${now}, ${now}) RETURNING id
    )
    INSERT INTO private.moderation_actions
      (case_id, action, reason, actor_name, chosen_at, takes_effect_at, applied_at, listing_version, listing_status)
    SELECT id, ${action}, ${reason}, ${actorName}, ${now}, ${now}, ${now}, ${version}, ${status} FROM decided
    RETURNING case_id`;
  if (!row) throw new Error('The decision was not stored');
  return row.case_id;
};

/** Marks the decisions about a listing as reversed, except those with an open appeal. */
export const markListingDecisionsReversed = async (
  tx: Transaction,
  listingId: string,
  now: Date,
): Promise<void> => {
  await tx`
    UPDATE private.moderation_actions a SET restored_at = ${now}
    FROM private.moderation_cases c
    WHERE c.id = a.case_id AND c.subject = 'listing' AND c.subject_id = ${listingId}
      AND c.person_id = (SELECT user_id FROM listings WHERE id = ${listingId})
      AND a.action IN ('unpublish', 'request_changes') AND a.applied_at IS NOT NULL AND a.restored_at IS NULL
      AND NOT EXISTS (SELECT FROM private.moderation_appeals p WHERE p.action_id = a.id AND p.decided_at IS NULL)`;
};
