import type { CaseQuery, CaseRisk, CaseSummary, ModerationSignalKind } from '#contract/moderation.ts';
import type { ReportReason } from '#contract/reports.ts';
import { toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export interface CaseRow
  extends Pick<
    Tables['moderation_cases'],
    'id' | 'subject' | 'title' | 'report_count' | 'assigned_until' | 'opened_at' | 'resolved_at'
  > {
  person: CaseSummary['person'];
  risk: CaseRisk;
  reasons: ReportReason[];
  signals: ModerationSignalKind[];
  has_appeal: boolean;
  assigned_to: CaseSummary['assigned_to'];
  /** The time by which the list is ordered, in microseconds and as text, for the cursor. */
  position_time: string;
}

/** The position of a case in a list: its risk (0 among resolved ones), a time and its id. */
export interface CasePosition {
  risk: number;
  time: string;
  id: string;
}

/**
 * The SQL condition that a case waits for the decision about an appeal. It checks `reopened_at` first, because most
 * cases were never reopened.
 */
const appealIsOpen = fragment`(c.reopened_at IS NOT NULL AND c.resolved_at IS NULL AND EXISTS (
  SELECT FROM private.moderation_actions a JOIN private.moderation_appeals p ON p.action_id = a.id
  WHERE a.case_id = c.id AND p.decided_at IS NULL))`;

/** Returns the SQL that selects the columns of a `CaseRow` for the cases that the query `chosen` returns. */
const selectCases = (chosen: Fragment, time: Fragment): Fragment => fragment`
  SELECT c.id, c.subject, c.title, c.risk, c.report_count, c.assigned_until, c.opened_at, c.resolved_at,
    CASE WHEN p.id IS NOT NULL THEN jsonb_build_object('id', p.id, 'name', p.display_name) END AS person,
    CASE WHEN m.id IS NOT NULL THEN jsonb_build_object('id', m.id, 'name', m.display_name) END AS assigned_to,
    coalesce((
      SELECT array_agg(DISTINCT reason ORDER BY reason) FROM private.moderation_reports WHERE case_id = c.id
    ), '{}') AS reasons,
    coalesce((
      SELECT array_agg(kind ORDER BY kind) FROM private.moderation_signals WHERE case_id = c.id
    ), '{}') AS signals,
    ${appealIsOpen} AS has_appeal, ${toCursorTimeSql(time)} AS position_time
  FROM (${chosen}) AS c LEFT JOIN users p ON p.id = c.person_id LEFT JOIN users m ON m.id = c.assigned_to`;

/** The cases to list: a page after a position, and filters. */
interface CaseListPage {
  openedBefore: Date | null;
  after: CasePosition | undefined;
  /** Id of the person whose own cases are excluded; null to include all cases. */
  exceptAbout: string | null;
  limit: number;
}

const toExceptCondition = ({ exceptAbout }: CaseListPage): Fragment =>
  exceptAbout ? fragment`AND person_id IS DISTINCT FROM ${exceptAbout}::uuid` : fragment``;

/** Returns the SQL condition for unresolved cases in the state of the query at the given time. */
const toStateCondition = ({ state }: CaseQuery, now: Date): Fragment => {
  if (state === 'open')
    return fragment`resolved_at IS NULL AND (assigned_until IS NULL OR assigned_until <= ${now})`;
  if (state === 'assigned') return fragment`resolved_at IS NULL AND assigned_until > ${now}`;
  return fragment`resolved_at IS NULL`;
};

const chooseOpen = (query: CaseQuery, page: CaseListPage & { now: Date }): Fragment => fragment`
  SELECT * FROM private.moderation_cases c
  WHERE ${toStateCondition(query, page.now)} ${toExceptCondition(page)}
    ${query.risk ? fragment`AND -risk = ${-query.risk}::smallint` : fragment``}
    ${page.openedBefore ? fragment`AND opened_at <= ${page.openedBefore}` : fragment``}
    ${query.appeals ? fragment`AND ${appealIsOpen}` : fragment``}
    ${
      page.after
        ? fragment`AND (-risk, opened_at, id) > (${-page.after.risk}::smallint, ${page.after.time}::text::timestamptz, ${page.after.id}::uuid)`
        : fragment``
    }
  ORDER BY -risk, opened_at, id LIMIT ${page.limit}`;

const chooseResolved = ({ risk }: CaseQuery, page: CaseListPage): Fragment => fragment`
  SELECT * FROM private.moderation_cases
  WHERE resolved_at IS NOT NULL ${toExceptCondition(page)}
    ${risk ? fragment`AND risk = ${risk}::int` : fragment``}
    ${page.openedBefore ? fragment`AND opened_at <= ${page.openedBefore}` : fragment``}
    ${page.after ? fragment`AND (resolved_at, id) < (${page.after.time}::text::timestamptz, ${page.after.id}::uuid)` : fragment``}
  ORDER BY resolved_at DESC, id DESC LIMIT ${page.limit}`;

/** Lists cases: open ones by risk, then oldest first; resolved ones by the time of the decision, newest first. */
export const listCases = (
  sql: Queryable,
  query: CaseQuery,
  page: CaseListPage & { now: Date },
): Promise<readonly CaseRow[]> =>
  sql<CaseRow[]>`${
    query.state === 'resolved'
      ? fragment`${selectCases(chooseResolved(query, page), fragment`c.resolved_at`)}
          ORDER BY c.resolved_at DESC, c.id DESC`
      : fragment`${selectCases(chooseOpen(query, page), fragment`c.opened_at`)} ORDER BY -c.risk, c.opened_at, c.id`
  }`;

/** Finds a case, with the same columns as in the list. */
export const findCase = async (sql: Queryable, id: string): Promise<CaseRow | undefined> => {
  const chosen = fragment`SELECT * FROM private.moderation_cases WHERE id = ${id}::uuid`;
  const [row] = await sql<CaseRow[]>`${selectCases(chosen, fragment`c.opened_at`)}`;
  return row;
};
