import type { ConsoleRole } from '#contract/console.ts';
import { type ListingStatus, type PublicContent, publicContentFields } from '#contract/listings.ts';
import { type ChosenAction, maxActionsShownPerCase } from '#contract/moderation.ts';
import type { ReportSubjectType } from '#contract/reports.ts';
import { toConsoleAccessSql } from '#server/features/accounts/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { columnList, fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';
import type { ConsoleSession } from '#server/platform/process/request-context.ts';

/** A moderator in the console, or the user of a command. */
export type Moderator = Pick<ConsoleSession, 'userId' | 'role'> | { name: string };

/** The state of an action about a case, which determines what moderators can do next. */
export interface ActionState
  extends Pick<
    Tables['moderation_actions'],
    'action' | 'actor_id' | 'applied_at' | 'undone_at' | 'restored_at'
  > {
  /** The role with which the action was chosen; null if it was not stored. Commands count as administrators. */
  actor_role: Tables['moderation_actions']['actor_role'];
  /** Whether the person concerned has appealed against the action and the appeal is not decided yet. */
  is_appealed: boolean;
  /** Whether the action is a suspension that has neither ended nor been lifted. */
  is_in_force: boolean;
}

/** The facts about a case that determine which actions are possible. */
export interface CaseFacts {
  subject: ReportSubjectType;
  person_id: string | null;
  /** Console role of the person whom the case is about, or null for people without one. */
  person_role: ConsoleRole | null;
  resolved_at: Date | null;
  assigned_to: string | null;
  assigned_until: Date | null;
  /**
   * The listing as it is now, or null when it was deleted or the case is not about a listing. `status` is the status that
   * the owner has given it, also while it is hidden because the owner is suspended.
   */
  listing:
    | (PublicContent & { status: ListingStatus; is_taken_down: boolean; is_sale_confirmed: boolean })
    | null;
  /** The wanted post, or null when it was removed or the case is not about one. */
  wanted: { is_taken_down: boolean } | null;
  /** Whether the listing is held for review because of a signal of this case. */
  holds_listing: boolean;
  actions: readonly ActionState[];
  reporting_moderator_ids: readonly string[];
  /**
   * Whether there is a moderator who may take all actions on the case, whom it is not about, who did not report it and
   * whose decision is not appealed. Appeals against decisions of administrators need an administrator.
   */
  has_impartial_moderator: boolean;
}

export interface CaseForAction extends CaseFacts {
  id: string;
  subject_id: string | null;
  title: string;
  report_count: number;
  /** How often automatic signals were raised in the case. */
  signal_count: number;
  /** All actions about the case, newest first. */
  actions: readonly ActionRow[];
}

/** An action with its moderator and the appeal against it. */
export interface ActionRow
  extends ActionState,
    Pick<
      Tables['moderation_actions'],
      'id' | 'case_id' | 'reason' | 'days' | 'actor_name' | 'chosen_at' | 'takes_effect_at'
    > {
  /** Why the action could not take effect and was withdrawn; null otherwise. */
  failure: Tables['moderation_actions']['failure'];
  /**
   * The version of the listing that the moderator saw, and its status before the action (see `CaseFacts`). Both are null
   * when the case is not about a listing or the listing was deleted.
   */
  listing_version: Tables['moderation_actions']['listing_version'];
  listing_status: ListingStatus | null;
  appeal_text: string | null;
  appealed_at: Date | null;
  decided_at: Date | null;
  is_granted: boolean | null;
}

const selectActions = fragment`
  SELECT a.id, a.case_id, a.action, a.reason, a.days, a.actor_id, coalesce(a.actor_name, u.display_name) AS actor_name,
    a.actor_role, a.chosen_at, a.takes_effect_at, a.applied_at, a.undone_at, a.restored_at, a.failure, a.listing_version, a.listing_status,
    p.appeal_text, p.created_at AS appealed_at, p.decided_at, p.is_granted,
    p.action_id IS NOT NULL AND p.decided_at IS NULL AS is_appealed,
    a.action = 'suspend' AND EXISTS (
      SELECT FROM private.moderation_cases c JOIN private.credentials k ON k.user_id = c.person_id
      WHERE c.id = a.case_id AND k.suspended_at <= a.applied_at) AS is_in_force
  FROM private.moderation_actions a LEFT JOIN users u ON u.id = a.actor_id
  LEFT JOIN private.moderation_appeals p ON p.action_id = a.id`;

/**
 * Lists the newest actions about a case. Withdrawn ones are left out first, so that nobody can make a case forget its
 * decisions by choosing and undoing actions.
 */
export const listActions = (sql: Queryable, caseId: string): Promise<ActionRow[]> => sql<ActionRow[]>`
  SELECT * FROM (
    ${selectActions} WHERE a.case_id = ${caseId}
    ORDER BY a.undone_at IS NOT NULL, a.chosen_at DESC, a.id LIMIT ${maxActionsShownPerCase}
  ) newest ORDER BY chosen_at DESC, id`;

export const findAction = async (sql: Queryable, id: string): Promise<ActionRow | undefined> => {
  const [row] = await sql<ActionRow[]>`${selectActions} WHERE a.id = ${id}`;
  return row;
};

/** Returns the SQL condition that a case, `c`, holds its listing for review. */
const toHoldsListingSql = fragment`EXISTS (
  SELECT FROM listings l JOIN private.moderation_signals s ON s.case_id = c.id AND s.kind = 'prohibited_wording'
  WHERE c.subject = 'listing' AND l.id = c.subject_id AND l.status = 'in_review' AND s.raised_at >= l.held_at)`;

/** Finds a case. If `isLocked` is true, also locks it until the transaction ends. */
export const findCaseForAction = async (
  tx: Queryable,
  id: string,
  { isLocked }: { isLocked: boolean },
): Promise<CaseForAction | undefined> => {
  if (isLocked) await tx`SELECT FROM private.moderation_cases WHERE id = ${id} FOR NO KEY UPDATE`;
  const [row] = await tx<Omit<CaseForAction, 'actions'>[]>`
    SELECT c.id, c.subject, c.subject_id, c.title, c.person_id, c.resolved_at, c.assigned_to, c.assigned_until,
      k.console_role AS person_role, c.report_count,
      (SELECT coalesce(sum(count), 0)::int FROM private.moderation_signals WHERE case_id = c.id) AS signal_count,
      (
        SELECT to_jsonb(found) FROM (
          SELECT ${columnList(publicContentFields)},
            CASE WHEN hidden_with = 'account' THEN 'published' ELSE status END AS status,
            hidden_with IS NOT DISTINCT FROM 'listing' AS is_taken_down,
            sale_confirmed_at IS NOT NULL AND rented_until IS NULL AS is_sale_confirmed
          FROM listings WHERE c.subject = 'listing' AND id = c.subject_id AND deleted_at IS NULL
        ) AS found
      ) AS listing,
      (
        SELECT jsonb_build_object('is_taken_down', w.hidden_at IS NOT NULL)
        FROM wanted_posts w WHERE c.subject = 'wanted' AND w.id = c.subject_id
      ) AS wanted,
      ${toHoldsListingSql} AS holds_listing,
      ARRAY (
        SELECT r.reporter_id FROM private.moderation_reports r JOIN private.credentials m ON m.user_id = r.reporter_id
        WHERE r.case_id = c.id AND m.console_role IS NOT NULL) AS reporting_moderator_ids,
      EXISTS (
        SELECT FROM private.credentials m
        WHERE ${toConsoleAccessSql(fragment`m`)} AND m.user_id IS DISTINCT FROM c.person_id
          AND (m.console_role = 'administrator' OR k.console_role IS NULL AND NOT EXISTS (
            SELECT FROM private.moderation_actions a JOIN private.moderation_appeals p ON p.action_id = a.id
            WHERE a.case_id = c.id AND p.decided_at IS NULL AND a.actor_role IS DISTINCT FROM 'moderator'))
          AND NOT EXISTS (
            SELECT FROM private.moderation_reports r WHERE r.case_id = c.id AND r.reporter_id = m.user_id)
          AND m.user_id NOT IN (
            SELECT a.actor_id FROM private.moderation_actions a JOIN private.moderation_appeals p ON p.action_id = a.id
            WHERE a.case_id = c.id AND p.decided_at IS NULL AND a.actor_id IS NOT NULL)
      ) AS has_impartial_moderator
    FROM private.moderation_cases c LEFT JOIN private.credentials k ON k.user_id = c.person_id
    WHERE c.id = ${id}`;
  return row && { ...row, actions: await listActions(tx, id) };
};

/** Assigns a case to a moderator until the given time. */
export const setCaseAssignee = async (
  tx: Queryable,
  { id, moderatorId, until }: { id: string; moderatorId: string; until: Date },
): Promise<void> => {
  await tx`
    UPDATE private.moderation_cases SET assigned_to = ${moderatorId}, assigned_until = ${until} WHERE id = ${id}`;
};

export const insertAction = async (
  tx: Queryable,
  given: {
    caseId: string;
    chosen: ChosenAction;
    moderator: Moderator;
    actorRole: ConsoleRole;
    listingVersion: string | null;
    now: Date;
    takesEffectAt: Date;
  },
): Promise<string> => {
  const { chosen, moderator } = given;
  const [row] = await tx<{ id: string }[]>`
    INSERT INTO private.moderation_actions
      (case_id, action, reason, days, template, actor_id, actor_name, actor_role, chosen_at, takes_effect_at,
        listing_version)
    VALUES (${given.caseId}, ${chosen.action}, ${chosen.reason}, ${chosen.days ?? null}, ${chosen.template ?? null},
      ${'userId' in moderator ? moderator.userId : null}, ${'name' in moderator ? moderator.name : null},
      ${given.actorRole}, ${given.now}, ${given.takesEffectAt}, ${given.listingVersion})
    RETURNING id`;
  if (!row) throw new Error('The action was not stored');
  return row.id;
};

export const listDueActionIds = async (sql: Queryable, now: Date): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM private.moderation_actions
    WHERE applied_at IS NULL AND undone_at IS NULL AND takes_effect_at <= ${now} ORDER BY takes_effect_at LIMIT 100`;
  return rows.map(({ id }) => id);
};

/**
 * Marks an action that is due to take effect as applied. Returns false when the action was undone, is not due
 * yet or has already taken effect.
 */
export const markActionApplied = async (
  tx: Queryable,
  id: string,
  { now, listingStatus }: { now: Date; listingStatus: ListingStatus | null },
): Promise<boolean> => {
  const { count } = await tx`
    UPDATE private.moderation_actions SET applied_at = ${now}, listing_status = ${listingStatus}
    WHERE id = ${id} AND applied_at IS NULL AND undone_at IS NULL AND takes_effect_at <= ${now}`;
  return count > 0;
};

/**
 * Resolves a case, unless it still holds a listing for review, an appeal has arrived after `appealCutoff`, or a report or
 * signal after `reportCutoff`, if these are not null. In that case, it stays open until these are decided, too.
 */
export const resolveCase = async (
  tx: Queryable,
  id: string,
  { appealCutoff, reportCutoff, now }: { appealCutoff: Date | null; reportCutoff: Date | null; now: Date },
): Promise<void> => {
  await tx`
    UPDATE private.moderation_cases c SET resolved_at = ${now}, updated_at = ${now}, assigned_to = NULL, assigned_until = NULL
    WHERE c.id = ${id} AND NOT ${toHoldsListingSql} AND NOT EXISTS (
      SELECT FROM private.moderation_actions a JOIN private.moderation_appeals p ON p.action_id = a.id
      WHERE a.case_id = c.id AND p.decided_at IS NULL AND p.created_at > ${appealCutoff}::timestamptz)
      AND NOT EXISTS (
        SELECT FROM private.moderation_reports r
        WHERE r.case_id = c.id AND r.created_at > ${reportCutoff}::timestamptz)
      AND NOT EXISTS (
        SELECT FROM private.moderation_signals s
        WHERE s.case_id = c.id AND s.raised_at > ${reportCutoff}::timestamptz)`;
};

/**
 * Grants or rejects the open appeals of a case that arrived until `appealCutoff`, or all of them if it is null. Returns
 * the ids of the people who appealed.
 */
export const decideAppeals = async (
  tx: Queryable,
  {
    caseId,
    appealCutoff,
    isGranted,
    now,
  }: { caseId: string; appealCutoff: Date | null; isGranted: boolean; now: Date },
): Promise<string[]> => {
  const rows = await tx<{ person_id: string | null }[]>`
    UPDATE private.moderation_appeals SET decided_at = ${now}, is_granted = ${isGranted}
    WHERE decided_at IS NULL AND created_at <= coalesce(${appealCutoff}::timestamptz, 'infinity')
      AND action_id IN (SELECT id FROM private.moderation_actions WHERE case_id = ${caseId})
    RETURNING person_id`;
  return rows.flatMap(({ person_id: personId }) => personId ?? []);
};

/** Stores the hash of the token with which a suspended person can appeal. */
export const setAppealTokenHash = async (tx: Queryable, id: string, hash: Buffer): Promise<void> => {
  await tx`UPDATE private.moderation_actions SET appeal_hash = ${hash} WHERE id = ${id}`;
};
