import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import type { ReviewService } from './service.ts';

/** Registers the calls for reviews of deals and people, and the job that brings ratings up to date. */
export const reviewsPlugin = async (
  server: FastifyInstance,
  { http, addJobs, reviews }: { http: HttpDeps; addJobs: JobCollector; reviews: ReviewService },
): Promise<void> => {
  addJobs(declareScheduledJob('count-published-reviews', '* * * * *', reviews.countPublishedReviews));

  serveCall(server, http, calls.getDealReviews, ({ session, params }) =>
    reviews.getOfDeal(session.userId, params.id),
  );
  serveCall(server, http, calls.reviewDeal, ({ session, params, body }) =>
    reviews.write(session.userId, params.id, body),
  );
  serveCall(server, http, calls.listUserReviews, ({ params, query }) =>
    reviews.listOfUser(params.id, query.cursor),
  );
};
