import type { NotificationFacts, Notifier } from '#server/notifications/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { CaseForAction } from './action-repository.ts';
import { listReporterIds } from './case-repository.ts';

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
