import { z } from 'zod';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { publicContentFields, publicContentSchema } from '#contract/listings.ts';
import {
  type CasePage,
  type CaseQuery,
  type CaseSummary,
  caseLeaseSeconds,
  casePageSize,
  type ModerationCase,
  maxQuotesShownPerCase,
  maxReportsShownPerCase,
} from '#contract/moderation.ts';
import type { App } from '#server/app.ts';
import { noteReading } from '#server/features/audit/public.ts';
import { addSeconds, hourInSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import {
  findActionError,
  findAssignmentError,
  findAuthorityError,
  isListingApprovedByDismissal,
  isOwnCase,
  listPossibleActions,
  needsAdministrator,
} from './action-policy.ts';
import { findCaseForAction, type Moderator, setCaseAssignee } from './action-repository.ts';
import * as details from './case-detail-repository.ts';
import * as list from './case-list-repository.ts';
import { toListingVersion } from './listing-version.ts';
import { presentAction } from './presenter.ts';

// Rejects timestamps in year 0, which PostgreSQL does not accept, so a forged cursor cannot make a query fail.
const cursorSchema = z.tuple([
  z.int().min(0).max(3),
  z.iso.datetime().refine((instant) => !instant.startsWith('0000')),
  z.uuid(),
]);

const encodeCursor = ({ risk, position_time: time, id }: list.CaseRow): string =>
  Buffer.from(JSON.stringify([risk, time, id])).toString('base64url');

const decodeCursor = (cursor: string | undefined): list.CasePosition | undefined => {
  if (cursor === undefined) return undefined;
  try {
    const text = Buffer.from(cursor, 'base64url').toString('utf8');
    const [risk, time, id] = cursorSchema.parse(JSON.parse(text));
    return { risk, time, id };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw createFieldProblem({ cursor: 'This place in the list cannot be found' });
};

const presentSummary = (row: list.CaseRow, now: Date): CaseSummary => {
  const isAssigned = row.resolved_at === null && row.assigned_until !== null && row.assigned_until > now;
  return {
    id: row.id,
    subject: row.subject,
    title: row.title,
    person: row.person,
    state: row.resolved_at ? 'resolved' : isAssigned ? 'assigned' : 'open',
    risk: row.risk,
    report_count: row.report_count,
    reasons: row.reasons,
    signals: row.signals,
    has_appeal: row.has_appeal,
    assigned_to: isAssigned ? row.assigned_to : null,
    assigned_until: isAssigned ? (row.assigned_until?.toISOString() ?? null) : null,
    opened_at: row.opened_at.toISOString(),
    resolved_at: row.resolved_at?.toISOString() ?? null,
  };
};

const noContent = publicContentSchema.parse({
  ...Object.fromEntries(publicContentFields.map((field) => [field, null])),
  photos: [],
});

/** Returns the current state of a listing, without the content of a draft, because only its owner may see that. */
const presentListing = (
  listing: Omit<NonNullable<ModerationCase['listing']>, 'version'>,
): ModerationCase['listing'] => ({
  ...listing,
  ...(listing.status === 'draft' ? noContent : {}),
  version: toListingVersion(listing),
});

/**
 * Returns a case, and records that the moderator reads it. Throws case_not_found when it does not exist, and own_case when
 * it is about the moderator.
 */
export const getCase = async (app: App, moderator: Moderator, id: string): Promise<ModerationCase> => {
  const { sql, clock } = app;
  const now = clock.now();
  const [row, about] = [await list.findCase(sql, id), await findCaseForAction(sql, id, { isLocked: false })];
  if (!row || !about) throw createProblem('case_not_found');
  if (isOwnCase(about, moderator)) throw createProblem('own_case');
  await noteReading(app, {
    event: 'case_read',
    userId: about.person_id ?? undefined,
    detail: `case ${id}`,
    actor: 'userId' in moderator ? moderator.userId : moderator.name,
  });
  const history = about.person_id
    ? await details.findPersonHistory(sql, { personId: about.person_id, caseId: id })
    : undefined;
  const listing =
    about.subject === 'listing' && about.subject_id
      ? await details.findListingOfCase(sql, about.subject_id)
      : undefined;
  return {
    ...presentSummary(row, now),
    quotes: (await details.listQuotes(sql, id, maxQuotesShownPerCase)).map((quote) => ({
      id: quote.id,
      content: quote.content,
      photo_count: quote.photo_count,
      quoted_at: quote.quoted_at.toISOString(),
    })),
    reports: (await details.listReports(sql, id, maxReportsShownPerCase)).map((report) => ({
      quote_id: report.quote_id,
      reporter: report.reporter,
      reason: report.reason,
      text: report.report_text,
      created_at: report.created_at.toISOString(),
    })),
    signal_details: (await details.listSignals(sql, id)).map(({ raised_at: raisedAt, ...signal }) => ({
      kind: signal.kind,
      detail: signal.detail,
      count: signal.count,
      raised_at: raisedAt.toISOString(),
    })),
    history: history
      ? {
          joined_at: history.joined_at.toISOString(),
          is_verified: history.is_verified,
          suspended_at: history.suspended_at?.toISOString() ?? null,
          suspended_until: history.suspended_until?.toISOString() ?? null,
          listings: history.listings,
          completed_deals: history.completed_deals,
          earlier_cases: history.earlier_cases,
          earlier_actions: history.earlier_actions,
        }
      : null,
    listing: listing ? presentListing(listing) : null,
    actions: about.actions.map((action) => presentAction(action, moderator)),
    needs_administrator: needsAdministrator(about, moderator),
    possible_actions: listPossibleActions(about).filter(
      (action) => findActionError(about, action, moderator, now) === undefined,
    ),
    dismissal_publishes: isListingApprovedByDismissal(about),
  };
};

/** Returns a page of the cases that are not about the moderator, ordered by risk and age. */
export const listCases = async (
  { sql, clock }: App,
  moderator: Moderator,
  query: CaseQuery,
): Promise<CasePage> => {
  const now = clock.now();
  const rows = await list.listCases(sql, query, {
    now,
    openedBefore: query.min_hours ? addSeconds(now, -query.min_hours * hourInSeconds) : null,
    after: decodeCursor(query.cursor),
    exceptAbout: 'userId' in moderator ? moderator.userId : null,
    limit: casePageSize + 1,
  });
  const shown = rows.slice(0, casePageSize);
  const last = rows.length > casePageSize ? shown.at(-1) : undefined;
  return {
    items: shown.map((row) => presentSummary(row, now)),
    next_cursor: last ? encodeCursor(last) : null,
  };
};

/** Reserves a case for a moderator for `caseLeaseSeconds`. Repeating the call extends the reservation. */
export const assignCase = async (
  app: App,
  moderator: Extract<Moderator, { userId: string }>,
  id: string,
): Promise<ModerationCase> => {
  await runInTransaction(app.sql, async (tx) => {
    const about = await findCaseForAction(tx, id, { isLocked: true });
    if (!about) throw createProblem('case_not_found');
    if (about.resolved_at) throw createProblem('case_resolved');
    const now = app.clock.now();
    const error =
      findAssignmentError(about, moderator, now) ?? findAuthorityError(about, 'dismiss', moderator);
    if (error) throw createProblem(error);
    await setCaseAssignee(tx, {
      id,
      moderatorId: moderator.userId,
      until: addSeconds(now, caseLeaseSeconds),
    });
  });
  return getCase(app, moderator, id);
};
