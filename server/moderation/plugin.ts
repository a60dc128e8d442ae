import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { type AddJobs, onQueue, onSchedule } from '#server/platform/jobs.ts';
import { type QuotedPhotos, quotedPhotoQueue, quotedPhotoRemovalQueue } from './quotes.ts';
import type { ReportService } from './report-service.ts';

export interface ModerationPluginOptions {
  http: HttpDeps;
  addJobs: AddJobs;
  moderation: {
    reports: ReportService;
    quotedPhotos: QuotedPhotos;
    watchNoShows(): Promise<void>;
  };
}

/** Registers the calls for reports, cases and appeals, and the jobs of moderation. */
export const moderationPlugin = async (
  app: FastifyInstance,
  { http, addJobs, moderation }: ModerationPluginOptions,
): Promise<void> => {
  const { reports, quotedPhotos, watchNoShows } = moderation;
  addJobs(
    onQueue(quotedPhotoQueue, quotedPhotos.copy),
    onQueue(quotedPhotoRemovalQueue, quotedPhotos.remove),
    onSchedule('watch-no-shows', '11 * * * *', watchNoShows),
  );

  serveCall(app, http, calls.report, ({ session, body }) => reports.report(session.userId, body));
};
