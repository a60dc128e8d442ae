import type { ReportSubjectType } from '#contract/reports.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { ActionRow } from './action-repository.ts';

/** A decision about a person with the appeal against it. */
export interface DecisionRow
  extends Pick<
    ActionRow,
    | 'id'
    | 'action'
    | 'reason'
    | 'days'
    | 'restored_at'
    | 'appeal_text'
    | 'appealed_at'
    | 'decided_at'
    | 'is_granted'
  > {
  applied_at: Date;
  subject: ReportSubjectType;
  title: string;
}

/** Lists the decisions about a person that took effect, newest first. */
export const listDecisions = (sql: Queryable, personId: string, limit: number) => sql<DecisionRow[]>`
  SELECT a.id, a.action, a.reason, a.days, a.applied_at, a.restored_at, c.subject, c.title,
    p.appeal_text, p.created_at AS appealed_at, p.decided_at, p.is_granted
  FROM private.moderation_cases c JOIN private.moderation_actions a ON a.case_id = c.id
  LEFT JOIN private.moderation_appeals p ON p.action_id = a.id
  WHERE c.person_id = ${personId} AND a.applied_at IS NOT NULL AND a.action <> 'dismiss'
  ORDER BY a.applied_at DESC, a.id LIMIT ${limit}`;
