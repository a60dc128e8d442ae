import type { App } from '#server/app.ts';
import { type NotificationFacts, notify } from '#server/features/notifications/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { getReportCutoff } from './action-policy.ts';
import type { CaseForAction } from './action-repository.ts';
import { listReporterIds } from './case-repository.ts';
import type { ReversedDecision } from './reversal-repository.ts';

type ReportedCase = Pick<CaseForAction, 'id' | 'subject' | 'title'>;

/** Tells the people who reported between two times, if these are not null, the outcome. */
export const notifyReporters = async (
  app: App,
  tx: Queryable,
  { id: caseId, subject, title }: ReportedCase,
  outcome: NotificationFacts<'report_handled'>['outcome'],
  { after, until }: { after: Date | null; until: Date | null },
): Promise<void> => {
  const userIds = await listReporterIds(tx, { caseId, after, until });
  const facts = { outcome, subject, title };
  if (userIds.length > 0) await notify(app, tx, 'report_handled', [{ subjectId: caseId, facts, userIds }]);
};

/** Tells the people whose reports led to decisions that these were reversed outside of their cases. */
export const notifyReportersOfReversals = async (
  app: App,
  tx: Queryable,
  decisions: readonly ReversedDecision[],
): Promise<void> => {
  for (const { case_id: id, ...reversed } of decisions)
    await notifyReporters(app, tx, { id, ...reversed }, 'restored', {
      after: null,
      until: getReportCutoff(reversed) ?? reversed.applied_at,
    });
};
