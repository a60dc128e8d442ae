import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import type { ReviewService } from './service.ts';

/** Registers the calls for reviews of deals and people, and the job that brings ratings up to date. */
export const reviewsPlugin = async (
  app: FastifyInstance,
  { http, addJobs, reviews }: { http: HttpDeps; addJobs: JobCollector; reviews: ReviewService },
): Promise<void> => {
  addJobs(declareScheduledJob('count-published-reviews', '* * * * *', reviews.countPublishedReviews));

  serveCall(app, http, calls.getDealReviews, ({ session, params }) =>
    reviews.getOfDeal(session.userId, params.id),
  );
  serveCall(app, http, calls.reviewDeal, ({ session, params, body }) =>
    reviews.write(session.userId, params.id, body),
  );
  serveCall(app, http, calls.listUserReviews, ({ params, query }) =>
    reviews.listOfUser(params.id, query.cursor),
  );
};
