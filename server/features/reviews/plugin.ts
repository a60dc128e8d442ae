import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob } from '#server/platform/jobs.ts';
import { countPublishedReviews, getDealReviews, listReviewsOfUser, writeReview } from './reviews.ts';

/** Registers the calls for reviews of deals and people, and the job that brings ratings up to date. */
export const reviewsPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(declareScheduledJob('count-published-reviews', '* * * * *', () => countPublishedReviews(app)));

  serveCall(server, app, calls.getDealReviews, ({ session, params }) =>
    getDealReviews(app, session.userId, params.id),
  );
  serveCall(server, app, calls.reviewDeal, ({ session, params, body }) =>
    writeReview(app, session.userId, params.id, body),
  );
  serveCall(server, app, calls.listUserReviews, ({ params, query }) =>
    listReviewsOfUser(app, params.id, query.cursor),
  );
};
