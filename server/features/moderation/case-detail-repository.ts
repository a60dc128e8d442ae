import { publicContentFields } from '#contract/listings.ts';
import type { ModerationCase, ModerationSignalKind, ReportedContent } from '#contract/moderation.ts';
import type { ReportReason } from '#contract/reports.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { columnList } from '#server/platform/postgres/sql-fragments.ts';

/**
 * Lists the quotes (stored copies of reported content) of a case, oldest first. If there are more than `limit`, leaves out
 * those without a report before the others, and old ones before new ones.
 */
export const listQuotes = (sql: Queryable, caseId: string, limit: number) =>
  sql<{ id: string; content: ReportedContent; photo_count: number; quoted_at: Date }[]>`
    SELECT * FROM (
      SELECT id, content, photo_count, quoted_at FROM private.moderation_quotes
      WHERE case_id = ${caseId}
      ORDER BY id IN (SELECT quote_id FROM private.moderation_reports WHERE case_id = ${caseId}) DESC,
        quoted_at DESC, id DESC LIMIT ${limit}) AS shown
    ORDER BY quoted_at, id`;

/** Lists the reports of a case, newest first, up to `limit`. */
export const listReports = (sql: Queryable, caseId: string, limit: number) =>
  sql<
    {
      quote_id: string;
      reporter: { id: string; name: string } | null;
      reason: ReportReason;
      report_text: string;
      created_at: Date;
    }[]
  >`
    SELECT r.quote_id, r.reason, r.report_text, r.created_at,
      CASE WHEN u.id IS NOT NULL THEN jsonb_build_object('id', u.id, 'name', u.display_name) END AS reporter
    FROM private.moderation_reports r LEFT JOIN users u ON u.id = r.reporter_id
    WHERE r.case_id = ${caseId} ORDER BY r.created_at DESC, r.id LIMIT ${limit}`;

export const listSignals = (sql: Queryable, caseId: string) =>
  sql<{ kind: ModerationSignalKind; detail: string; count: number; raised_at: Date }[]>`
    SELECT kind, detail, count, raised_at FROM private.moderation_signals WHERE case_id = ${caseId} ORDER BY raised_at DESC`;

interface HistoryRow {
  joined_at: Date;
  is_verified: boolean;
  suspended_at: Date | null;
  suspended_until: Date | null;
  listings: number;
  completed_deals: number;
  earlier_cases: number;
  earlier_actions: number;
}

/**
 * Returns a person's history: when they joined, whether they have the badge or are suspended, and the numbers of their
 * listings and completed deals, of the cases about them other than the given case, and of the moderators' actions in
 * those cases.
 */
export const findPersonHistory = async (
  sql: Queryable,
  { personId, caseId }: { personId: string; caseId: string },
): Promise<HistoryRow | undefined> => {
  const [row] = await sql<HistoryRow[]>`
    SELECT u.created_at AS joined_at, u.usc_verified AS is_verified, c.suspended_at, c.suspended_until,
      (SELECT count(*)::int FROM listings WHERE user_id = u.id AND deleted_at IS NULL AND published_at IS NOT NULL) AS listings,
      (SELECT count(*)::int FROM (
        SELECT id FROM deals WHERE buyer_id = u.id AND state = 'completed'
        UNION ALL SELECT id FROM deals WHERE seller_id = u.id AND state = 'completed') AS own) AS completed_deals,
      (SELECT count(*)::int FROM private.moderation_cases WHERE person_id = u.id AND id <> ${caseId}) AS earlier_cases,
      (SELECT count(*)::int FROM private.moderation_cases m JOIN private.moderation_actions a ON a.case_id = m.id
        WHERE m.person_id = u.id AND m.id <> ${caseId} AND a.applied_at IS NOT NULL
          AND a.action NOT IN ('dismiss', 'restore')) AS earlier_actions
    FROM users u JOIN private.credentials c ON c.user_id = u.id WHERE u.id = ${personId}`;
  return row;
};

/** Finds the listing of a case as it is now. Returns undefined when it was deleted. */
export const findListingOfCase = async (sql: Queryable, id: string) => {
  const [row] = await sql<Omit<NonNullable<ModerationCase['listing']>, 'version'>[]>`
    SELECT slug, status, hidden_at IS NOT NULL AS is_hidden, ${columnList(publicContentFields)}
    FROM listings WHERE id = ${id} AND deleted_at IS NULL`;
  return row;
};

/**
 * Returns the number of photos in a quote, and the person whom its case is about, or undefined when there is no such
 * quote.
 */
export const findQuote = async (
  sql: Queryable,
  quoteId: string,
): Promise<{ photo_count: number; person_id: string | null } | undefined> => {
  const [row] = await sql<{ photo_count: number; person_id: string | null }[]>`
    SELECT q.photo_count, c.person_id
    FROM private.moderation_quotes q JOIN private.moderation_cases c ON c.id = q.case_id WHERE q.id = ${quoteId}`;
  return row;
};
