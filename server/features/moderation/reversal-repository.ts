import type { CaseAction } from '#contract/moderation.ts';
import type { ReportSubjectType } from '#contract/reports.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { ActionRow } from './action-repository.ts';

export type ReversedAction = Pick<ActionRow, 'id' | 'action' | 'listing_version' | 'listing_status'>;

/**
 * Marks the applied actions of a case as reversed, if their kind is listed in `actions`. Returns the marked actions.
 */
export const markActionsReversed = async (
  tx: Queryable,
  { caseId, actions, now }: { caseId: string; actions: readonly CaseAction[]; now: Date },
): Promise<ReversedAction[]> => tx<ReversedAction[]>`
  UPDATE private.moderation_actions SET restored_at = ${now}
  WHERE case_id = ${caseId} AND action = ANY (${actions as CaseAction[]}) AND applied_at IS NOT NULL AND restored_at IS NULL
  RETURNING id, action, listing_version, listing_status`;

export interface ReversedDecision extends Pick<ActionRow, 'action' | 'days' | 'chosen_at'> {
  case_id: string;
  subject: ReportSubjectType;
  title: string;
  applied_at: Date;
}

/** Locks all cases about a person until the transaction ends, so that no appeal arrives in the meantime. */
export const lockCasesAboutPerson = async (tx: Queryable, personId: string): Promise<void> => {
  await tx`SELECT FROM private.moderation_cases WHERE person_id = ${personId} ORDER BY id FOR NO KEY UPDATE`;
};

/** Locks all cases about a listing until the transaction ends, so that no appeal arrives in the meantime. */
export const lockCasesAboutListing = async (tx: Queryable, listingId: string): Promise<void> => {
  await tx`
    SELECT FROM private.moderation_cases WHERE subject = 'listing' AND subject_id = ${listingId}
    ORDER BY id FOR NO KEY UPDATE`;
};

/**
 * Marks the suspensions of a person that have not ended as reversed, except those with an open appeal. Returns the
 * marked ones.
 */
export const markSuspensionsReversed = async (
  tx: Queryable,
  personId: string,
  now: Date,
): Promise<ReversedDecision[]> => tx<ReversedDecision[]>`
  UPDATE private.moderation_actions a SET restored_at = ${now}
  FROM private.moderation_cases c
  WHERE c.id = a.case_id AND c.person_id = ${personId} AND a.action = 'suspend' AND a.applied_at IS NOT NULL
    AND a.restored_at IS NULL AND (a.days IS NULL OR a.applied_at + a.days * interval '1 day' > ${now})
    AND NOT EXISTS (SELECT FROM private.moderation_appeals p WHERE p.action_id = a.id AND p.decided_at IS NULL)
  RETURNING a.action, a.days, a.chosen_at, a.applied_at, c.id AS case_id, c.subject, c.title`;

/** A moderator's decision about a listing. */
export type ListingDecision = ReversedAction & Pick<ActionRow, 'reason' | 'restored_at'>;

/**
 * Lists the decisions to take a listing down that were made since it has been down, and the requests for changes that
 * were reversed since, newest first. Returns an empty list when the listing is not taken down.
 */
export const listTakeDownDecisions = async (
  tx: Queryable,
  listingId: string,
): Promise<ListingDecision[]> => tx<ListingDecision[]>`
  SELECT a.id, a.action, a.listing_version, a.listing_status, a.reason, a.restored_at
  FROM private.moderation_cases c JOIN private.moderation_actions a ON a.case_id = c.id
  JOIN listings l ON l.id = c.subject_id
  WHERE c.subject = 'listing' AND c.subject_id = ${listingId} AND l.hidden_with = 'listing'
    AND (a.action = 'unpublish' AND a.applied_at >= l.hidden_at
      OR a.action = 'request_changes' AND a.restored_at >= l.hidden_at)
  ORDER BY a.applied_at DESC, a.id DESC`;

/** Returns the reason of the newest decision in force to take a wanted post down, or undefined when there is none. */
export const findWantedPostTakeDown = async (tx: Queryable, postId: string): Promise<string | undefined> => {
  const [row] = await tx<{ reason: string }[]>`
    SELECT a.reason FROM private.moderation_cases c JOIN private.moderation_actions a ON a.case_id = c.id
    WHERE c.subject = 'wanted' AND c.subject_id = ${postId} AND a.action = 'unpublish' AND a.applied_at IS NOT NULL
      AND a.restored_at IS NULL
    ORDER BY a.applied_at DESC LIMIT 1`;
  return row?.reason;
};

/**
 * Lists the requests for changes that were made since the owner last submitted the listing, newest first. Returns an empty
 * list when the listing shows no request.
 */
export const listChangeRequests = async (tx: Queryable, listingId: string): Promise<ListingDecision[]> => {
  const requests = await tx<ListingDecision[]>`
    SELECT a.id, a.action, a.listing_version, a.listing_status, a.reason, a.restored_at
    FROM private.moderation_cases c JOIN private.moderation_actions a ON a.case_id = c.id
    JOIN listings l ON l.id = c.subject_id
    WHERE c.subject = 'listing' AND c.subject_id = ${listingId} AND a.action = 'request_changes'
      AND a.applied_at IS NOT NULL AND l.requested_changes IS NOT NULL
    ORDER BY a.applied_at DESC, a.id DESC`;
  // Requests before one that made a draft of a submitted listing were answered.
  const first = requests.findIndex(({ listing_status: status }) => status !== 'draft');
  return first < 0 ? requests : requests.slice(0, first + 1);
};

/**
 * Finds the suspension with the latest end among those that moderators chose since the current suspension began.
 * Ignores suspensions that have ended or were reversed.
 */
export const findRemainingSuspension = async (
  tx: Queryable,
  personId: string,
  now: Date,
): Promise<{ id: string; until: Date | null } | undefined> => {
  const [row] = await tx<{ id: string; until: Date | null }[]>`
    SELECT a.id, a.applied_at + a.days * interval '1 day' AS until
    FROM private.moderation_cases c JOIN private.moderation_actions a ON a.case_id = c.id
    JOIN private.credentials k ON k.user_id = c.person_id
    WHERE c.person_id = ${personId} AND a.action = 'suspend' AND a.applied_at >= k.suspended_at AND a.restored_at IS NULL
      AND (a.days IS NULL OR a.applied_at + a.days * interval '1 day' > ${now})
    ORDER BY until DESC NULLS FIRST LIMIT 1`;
  return row;
};
