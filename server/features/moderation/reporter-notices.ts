import type { NotificationFacts, Notifier } from '#server/features/notifications/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { getReportCutoff } from './action-policy.ts';
import type { CaseForAction } from './action-repository.ts';
import { listReporterIds } from './case-repository.ts';
import type { ReversedDecision } from './reversal-repository.ts';

/** The case whose reporters are notified. */
export type ReportedCase = Pick<CaseForAction, 'id' | 'subject' | 'title'>;

/** Creates the function that tells the people who reported between two times, if these are not null, the outcome. */
export const createReporterNotifier =
  (notify: Notifier) =>
  async (
    tx: Queryable,
    { id: caseId, subject, title }: ReportedCase,
    outcome: NotificationFacts<'report_handled'>['outcome'],
    { after, until }: { after: Date | null; until: Date | null },
  ): Promise<void> => {
    const userIds = await listReporterIds(tx, { caseId, after, until });
    const facts = { outcome, subject, title };
    if (userIds.length > 0) await notify(tx, 'report_handled', [{ subjectId: caseId, facts, userIds }]);
  };

export type ReporterNotifier = ReturnType<typeof createReporterNotifier>;

/** Tells the people whose reports led to decisions that these were reversed outside of their cases. */
export const notifyReportersOfReversals = async (
  tx: Queryable,
  notifyReporters: ReporterNotifier,
  decisions: readonly ReversedDecision[],
): Promise<void> => {
  for (const { case_id: id, ...reversed } of decisions)
    await notifyReporters(tx, { id, ...reversed }, 'restored', {
      after: null,
      until: getReportCutoff(reversed) ?? reversed.applied_at,
    });
};
