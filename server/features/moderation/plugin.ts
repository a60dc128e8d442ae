import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { consoleCalls } from '#contract/console-calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob } from '#server/platform/jobs.ts';
import { applyAction, applyDueActions } from './action-application.ts';
import { moderatorActionQueue } from './actions.ts';
import { listDecisions, submitAppeal } from './appeals.ts';
import { registerCampusRoutes } from './campus/routes.ts';
import { registerSubmittedFormRoutes } from './forms/routes.ts';
import { getOverview } from './overview/overview.ts';
import { registerPeopleRoutes } from './people/routes.ts';
import {
  copyQuotedPhotos,
  quotedPhotoCopyQueue,
  quotedPhotoRemovalQueue,
  removeQuotedPhotoOrphans,
  removeQuotedPhotos,
} from './quotes.ts';
import { submitReport } from './reports.ts';
import { registerCaseRoutes } from './routes.ts';
import { checkNoShows } from './signals.ts';

/** Registers the calls for reports and appeals, the calls of the console, and the jobs of moderation. */
export const moderationPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(
    declareQueueJob(quotedPhotoCopyQueue, (job) => copyQuotedPhotos(app, job)),
    declareQueueJob(quotedPhotoRemovalQueue, ({ keys }) => removeQuotedPhotos(app, keys)),
    declareQueueJob(moderatorActionQueue, ({ id }) => applyAction(app, id)),
    declareScheduledJob('apply-missed-moderation-actions', '* * * * *', () => applyDueActions(app)),
    declareScheduledJob('remove-quoted-photo-orphans', '51 9 * * *', () => removeQuotedPhotoOrphans(app)),
    declareScheduledJob('watch-no-shows', '11 * * * *', () => checkNoShows(app)),
  );

  serveCall(server, app, calls.report, ({ session, body }) => submitReport(app, session.userId, body));
  serveCall(server, app, calls.listDecisions, ({ session }) => listDecisions(app, session.userId));
  serveCall(server, app, calls.appeal, async ({ session, body }) => {
    await submitAppeal(app, session?.userId, body);
    return { success: true as const };
  });

  serveCall(server, app, consoleCalls.getOverview, () => getOverview(app));
  registerCaseRoutes(server, app);
  registerPeopleRoutes(server, app);
  registerSubmittedFormRoutes(server, app);
  registerCampusRoutes(server, app);
};
