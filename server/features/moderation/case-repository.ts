import type { CaseRisk, ModerationSignalKind } from '#contract/moderation.ts';
import type { NewReport } from '#contract/reports.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { QuotedSubject } from './quote-repository.ts';

/**
 * Takes an advisory lock for the reports about a person until the transaction ends. Must be taken before a case is
 * locked.
 */
export const lockReportsAboutPerson = async (tx: Queryable, personId: string): Promise<void> => {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`reports about ${personId}`}, 0))`;
};

/**
 * Opens a case about a subject, or finds the open one, and locks it until the transaction ends. The risk of an open
 * case never falls.
 */
export const findOrOpenCase = async (
  tx: Queryable,
  { subject, subjectId, personId, title }: QuotedSubject,
  now: Date,
): Promise<{ id: string; report_count: number }> => {
  const [row] = await tx<{ id: string; report_count: number }[]>`
    INSERT INTO private.moderation_cases AS c (subject, subject_id, person_id, title, risk, opened_at, updated_at)
    VALUES (${subject}, ${subjectId}, ${personId}, ${title}, 1, ${now}, ${now})
    ON CONFLICT (subject, coalesce(subject_id, person_id)) WHERE resolved_at IS NULL AND reopened_at IS NULL
      DO UPDATE SET updated_at = c.updated_at
    RETURNING id, report_count`;
  if (!row) throw new Error('A case was neither opened nor found');
  return row;
};

/** Raises the risk of a case to at least `risk`, because of a new signal. */
export const raiseCaseRisk = async (
  tx: Queryable,
  { id, risk, now }: { id: string; risk: CaseRisk; now: Date },
): Promise<void> => {
  await tx`
    UPDATE private.moderation_cases SET risk = greatest(risk, ${risk}::smallint), updated_at = ${now} WHERE id = ${id}`;
};

/**
 * Records a new report in a case: counts it and raises the risk to at least `risk`. If the reporter had reserved the case,
 * ends the reservation, because another moderator has to decide now.
 */
export const countReport = async (
  tx: Queryable,
  { id, risk, reporterId, now }: { id: string; risk: CaseRisk; reporterId: string; now: Date },
): Promise<void> => {
  await tx`
    UPDATE private.moderation_cases SET risk = greatest(risk, ${risk}::smallint), report_count = report_count + 1,
      assigned_to = nullif(assigned_to, ${reporterId}),
      assigned_until = CASE WHEN assigned_to = ${reporterId} THEN NULL ELSE assigned_until END, updated_at = ${now}
    WHERE id = ${id}`;
};

/** Finds the report that a person has added to a case, unless an action that took effect has decided it. */
export const findReport = async (
  tx: Queryable,
  { caseId, reporterId }: { caseId: string; reporterId: string },
): Promise<{ id: string; created_at: Date } | undefined> => {
  const [row] = await tx<{ id: string; created_at: Date }[]>`
    SELECT id, created_at FROM private.moderation_reports r
    WHERE r.case_id = ${caseId} AND r.reporter_id = ${reporterId} AND NOT EXISTS (
      SELECT FROM private.moderation_actions a
      WHERE a.case_id = r.case_id AND a.applied_at IS NOT NULL AND a.chosen_at >= r.created_at)`;
  return row;
};

/** Stores a report. Replaces an earlier report that the person has added to the case. */
export const saveReport = async (
  tx: Queryable,
  report: { caseId: string; quoteId: string; reporterId: string; form: NewReport; now: Date },
): Promise<{ id: string; created_at: Date }> => {
  const [row] = await tx<{ id: string; created_at: Date }[]>`
    INSERT INTO private.moderation_reports (case_id, quote_id, reporter_id, reason, report_text, created_at)
    VALUES (${report.caseId}, ${report.quoteId}, ${report.reporterId}, ${report.form.reason}, ${report.form.text},
      ${report.now})
    ON CONFLICT (case_id, reporter_id) DO UPDATE SET quote_id = excluded.quote_id, reason = excluded.reason,
      report_text = excluded.report_text, created_at = excluded.created_at
    RETURNING id, created_at`;
  if (!row) throw new Error('The report was not stored');
  return row;
};

/**
 * Lists the ids of the people who reported the subject of a case after one time and until another, if these are not
 * null, and still have an account.
 */
export const listReporterIds = async (
  tx: Queryable,
  { caseId, after, until }: { caseId: string; after: Date | null; until: Date | null },
): Promise<string[]> => {
  const rows = await tx<{ reporter_id: string }[]>`
    SELECT reporter_id FROM private.moderation_reports
    WHERE case_id = ${caseId} AND reporter_id IS NOT NULL AND created_at > coalesce(${after}::timestamptz, '-infinity')
      AND created_at <= coalesce(${until}::timestamptz, 'infinity')`;
  return rows.map(({ reporter_id: id }) => id);
};

/**
 * Stores an automatic signal. If the case already has a signal of this kind, replaces its contents and increments its
 * count.
 */
export const saveSignal = async (
  tx: Queryable,
  signal: { caseId: string; quoteId: string; kind: ModerationSignalKind; detail: string; now: Date },
): Promise<void> => {
  await tx`
    INSERT INTO private.moderation_signals AS s (case_id, quote_id, kind, detail, raised_at)
    VALUES (${signal.caseId}, ${signal.quoteId}, ${signal.kind}, ${signal.detail}, ${signal.now})
    ON CONFLICT (case_id, kind) DO UPDATE SET count = s.count + 1, detail = excluded.detail,
      quote_id = excluded.quote_id, raised_at = excluded.raised_at`;
};

/**
 * Counts the people who reported a person, their listings or their messages since the given time and since the last
 * case about the person was resolved, or opened again by an appeal.
 */
export const countReporters = async (tx: Queryable, personId: string, since: Date): Promise<number> => {
  const [row] = await tx<{ count: number }[]>`
    SELECT count(DISTINCT r.reporter_id)::int AS count
    FROM private.moderation_cases c JOIN private.moderation_reports r ON r.case_id = c.id
    WHERE c.person_id = ${personId} AND r.created_at > greatest(${since}, (
      SELECT max(coalesce(resolved_at, reopened_at)) FROM private.moderation_cases WHERE person_id = ${personId} AND subject = 'user'))`;
  return row?.count ?? 0;
};

/**
 * Lists people with at least `min` uncontested no-shows since the given time and since the last case about the person
 * was resolved, or opened again by an appeal. A report of absence counts from the moment when it can no longer be
 * contested.
 */
export const listPeopleWithNoShows = (
  tx: Queryable,
  { since, contestableSince, min }: { since: Date; contestableSince: Date; min: number },
): Promise<{ person_id: string; count: number }[]> => tx<{ person_id: string; count: number }[]>`
  SELECT d.person_id, count(*)::int AS count
  FROM (
    SELECT CASE WHEN reported = 'buyer' THEN buyer_id ELSE seller_id END AS person_id, changed_at FROM deals
    WHERE state = 'no_show' AND reported IS NOT NULL AND NOT is_contested
      AND changed_at > ${since} AND changed_at < ${contestableSince}
  ) AS d
  WHERE d.person_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM private.moderation_cases c
    WHERE c.person_id = d.person_id AND c.subject = 'user' AND (coalesce(c.resolved_at, c.reopened_at) > d.changed_at OR EXISTS (
      SELECT FROM private.moderation_signals s
      WHERE s.case_id = c.id AND s.kind = 'no_shows' AND c.resolved_at IS NULL)))
  GROUP BY d.person_id HAVING count(*) >= ${min}
  ORDER BY d.person_id LIMIT 100`;

interface DeletedCases {
  cases: number;
  quotes: { id: string; photo_count: number }[];
}

const deleteCases = async (tx: Queryable, ids: string[]): Promise<DeletedCases> => {
  const quotes = await tx<DeletedCases['quotes']>`
    SELECT id, photo_count FROM private.moderation_quotes WHERE case_id = ANY (${ids})`;
  await tx`DELETE FROM private.moderation_cases WHERE id = ANY (${ids})`;
  return { cases: ids.length, quotes };
};

/** Deletes up to `limit` cases that were resolved at or before the given time. Returns their quotes. */
export const deleteResolvedCases = async (
  tx: Queryable,
  { before, limit }: { before: Date; limit: number },
): Promise<DeletedCases> => {
  const cases = await tx<{ id: string }[]>`
    SELECT id FROM private.moderation_cases WHERE resolved_at <= ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  return deleteCases(
    tx,
    cases.map(({ id }) => id),
  );
};

/** Deletes up to `limit` cases about people, their listings and their messages. Returns the quotes. */
export const deleteCasesAboutPeople = async (
  tx: Queryable,
  { personIds, limit }: { personIds: readonly string[]; limit: number },
): Promise<DeletedCases> => {
  const cases = await tx<{ id: string }[]>`
    SELECT id FROM private.moderation_cases WHERE person_id = ANY (${personIds as string[]}) LIMIT ${limit} FOR UPDATE`;
  return deleteCases(
    tx,
    cases.map(({ id }) => id),
  );
};
