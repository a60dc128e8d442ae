import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { consoleCalls } from '#contract/console-calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import { moderatorActionQueue } from './action-queue.ts';
import type { ActionService } from './action-service.ts';
import type { AppealService } from './appeal-service.ts';
import type { CaseService } from './case-service.ts';
import { type QuotedPhotoService, quotedPhotoCopyQueue, quotedPhotoRemovalQueue } from './quotes.ts';
import type { ReportService } from './report-service.ts';
import { registerQuotedPhotoRoutes } from './routes.ts';

export interface ModerationPluginOptions {
  http: HttpDeps;
  addJobs: JobCollector;
  moderation: {
    reports: ReportService;
    cases: CaseService;
    actions: ActionService;
    appeals: AppealService;
    quotedPhotos: QuotedPhotoService;
    watchNoShows(): Promise<void>;
    removeQuotedPhotoOrphans(): Promise<void>;
  };
}

/** Registers the calls for reports, cases and appeals, and the jobs of moderation. */
export const moderationPlugin = async (
  server: FastifyInstance,
  { http, addJobs, moderation }: ModerationPluginOptions,
): Promise<void> => {
  const { reports, cases, actions, appeals, quotedPhotos, watchNoShows, removeQuotedPhotoOrphans } =
    moderation;
  addJobs(
    declareQueueJob(quotedPhotoCopyQueue, quotedPhotos.copy),
    declareQueueJob(quotedPhotoRemovalQueue, quotedPhotos.remove),
    declareQueueJob(moderatorActionQueue, ({ id }) => actions.apply(id)),
    declareScheduledJob('apply-missed-moderation-actions', '* * * * *', actions.applyDue),
    declareScheduledJob('remove-quoted-photo-orphans', '51 9 * * *', removeQuotedPhotoOrphans),
    declareScheduledJob('watch-no-shows', '11 * * * *', watchNoShows),
  );

  serveCall(server, http, calls.report, ({ session, body }) => reports.report(session.userId, body));
  serveCall(server, http, calls.listDecisions, ({ session }) => appeals.listDecisions(session.userId));
  serveCall(server, http, calls.appeal, async ({ session, body }) => {
    await appeals.appeal(session?.userId, body);
    return { success: true as const };
  });

  serveCall(server, http, consoleCalls.listCases, ({ session, query }) => cases.list(session, query));
  serveCall(server, http, consoleCalls.getCase, ({ session, params }) => cases.get(session, params.id));
  serveCall(server, http, consoleCalls.assignCase, ({ session, params }) => cases.assign(session, params.id));
  serveCall(server, http, consoleCalls.chooseAction, ({ session, params, body }) =>
    actions.choose(session, params.id, body),
  );
  serveCall(server, http, consoleCalls.undoAction, ({ session, params }) => actions.undo(session, params.id));
  registerQuotedPhotoRoutes(server, http, quotedPhotos);
};
