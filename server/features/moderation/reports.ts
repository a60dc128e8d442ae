import { createProblem } from '#contract/errors.ts';
import type { NewReport, ReportReceipt } from '#contract/reports.ts';
import type { App } from '#server/app.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './case-repository.ts';
import * as quotes from './quote-repository.ts';
import { storeQuote } from './quotes.ts';
import { getReportRisk } from './risk-policy.ts';
import { checkReportCount } from './signals.ts';

/** Finds the listing, person or message that a person reports. Returns undefined when they cannot see it. */
const findReportedSubject = (
  tx: Queryable,
  { subject, subject_id: id, until_seq: untilSeq }: NewReport,
  reporterId: string,
) => {
  if (subject === 'listing') return quotes.findQuotedListing(tx, id, { isPublic: true });
  if (subject === 'user') return quotes.findQuotedUser(tx, id, { knownTo: reporterId });
  if (subject === 'wanted') return quotes.findQuotedWantedPost(tx, id, { isPublic: true });
  return quotes.findQuotedMessage(tx, id, { readerId: reporterId, untilSeq });
};

/**
 * Adds a report to the case about its subject. Reporting the same subject again returns the first report until it is
 * decided.
 */
export const submitReport = (app: App, reporterId: string, form: NewReport): Promise<ReportReceipt> =>
  runInTransaction(app.sql, async (tx) => {
    const quoted = await findReportedSubject(tx, form, reporterId);
    if (!quoted) throw createProblem('report_subject_not_found');
    if (quoted.personId === reporterId) throw createProblem('own_report');
    // Simultaneous reports about the person would not count one another, and could all miss the threshold.
    await repository.lockReportsAboutPerson(tx, quoted.personId);
    const opened = await repository.findOrOpenCase(tx, quoted, app.clock.now());
    const { id: caseId, report_count: earlier } = opened;
    // Read after the case is locked, so that a report is newer than an action that was chosen without it.
    const now = app.clock.now();
    const existing = await repository.findReport(tx, { caseId, reporterId });
    if (existing) return { id: existing.id, created_at: existing.created_at.toISOString() };
    const quoteId = await storeQuote(app, tx, caseId, quoted);
    const stored = await repository.saveReport(tx, { caseId, quoteId, reporterId, form, now });
    const risk = getReportRisk(form.reason, earlier + 1);
    await repository.countReport(tx, { id: caseId, risk, reporterId, now });
    await checkReportCount(app, tx, quoted.personId);
    return { id: stored.id, created_at: stored.created_at.toISOString() };
  });
