import type { ConsoleRole } from '#contract/console.ts';
import type { ListingStatus } from '#contract/listings.ts';
import type { CaseAction } from '#contract/moderation.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import type { Moderator } from './action-repository.ts';
import type { QuotedSubject } from './quote-repository.ts';

interface AppliedDecision {
  action: CaseAction;
  reason: string;
  moderator: Moderator;
  actorRole: ConsoleRole;
  now: Date;
  /** The status of the listing before the action. */
  listingStatus?: ListingStatus;
  /** The days of a suspension that ends by itself. */
  days?: number | null;
}

/** Stores an action that has taken effect, in a resolved case of its own. Returns the ids of both. */
export const insertResolvedCase = async (
  tx: Transaction,
  { subject, subjectId, personId, title, listingVersion }: QuotedSubject,
  { action, reason, moderator, actorRole, now, listingStatus, days }: AppliedDecision,
): Promise<{ caseId: string; actionId: string }> => {
  const [row] = await tx<{ case_id: string; id: string }[]>`
    WITH decided AS (
      INSERT INTO private.moderation_cases (subject, subject_id, person_id, title, risk, opened_at, updated_at, resolved_at)
      VALUES (${subject}, ${subjectId}, ${personId}, ${title}, 1, ${now}, ${now}, ${now}) RETURNING id
    )
    INSERT INTO private.moderation_actions
      (case_id, action, reason, days, actor_id, actor_name, actor_role, chosen_at, takes_effect_at, applied_at,
        listing_version, listing_status)
    SELECT id, ${action}, ${reason}, ${days ?? null}::int, ${'userId' in moderator ? moderator.userId : null}::uuid,
      ${'name' in moderator ? moderator.name : null}, ${actorRole}, ${now}, ${now}, ${now}, ${listingVersion},
      ${listingStatus ?? null}
    FROM decided RETURNING case_id, id`;
  if (!row) throw new Error('The decision was not stored');
  return { caseId: row.case_id, actionId: row.id };
};
