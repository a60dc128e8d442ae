import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { DealService } from './service.ts';
import type { DealSettling } from './settling.ts';
import { dealSettlingQueue } from './settling-queue.ts';

/**
 * Registers the routes of deals, which only their two parties can access, and the jobs for deadlines,
 * draws, notices and changed listings.
 */
export const dealsPlugin = async (
  server: FastifyInstance,
  {
    http,
    addJobs,
    deals,
    settling,
    applyDeadlines,
    drawGifts,
    sendNotices,
  }: {
    http: HttpDeps;
    addJobs: JobCollector;
    deals: DealService;
    settling: DealSettling;
    applyDeadlines: () => Promise<void>;
    drawGifts: () => Promise<void>;
    sendNotices: (log: Pick<Log, 'error'>) => Promise<void>;
  },
): Promise<void> => {
  addJobs(
    declareScheduledJob('apply-deal-deadlines', '* * * * *', applyDeadlines),
    declareScheduledJob('draw-gifts', '* * * * *', drawGifts),
    declareScheduledJob('send-deal-notices', '* * * * *', () => sendNotices(server.log)),
    declareScheduledJob('settle-missed-deals', '* * * * *', settling.settleMissed),
    declareQueueJob(dealSettlingQueue, settling.settle),
  );

  serveCall(server, http, calls.startDeal, ({ session, body }) => deals.start(session.userId, body));
  serveCall(server, http, calls.takeDealTransition, ({ session, params, body }) =>
    deals.take(session.userId, params.id, body),
  );
  serveCall(server, http, calls.listDeals, ({ session, query }) => deals.list(session.userId, query));
  serveCall(server, http, calls.getDeal, ({ session, params }) => deals.get(session.userId, params.id));
  serveCall(server, http, calls.downloadHandoverCalendar, ({ session, params }) =>
    deals.renderHandoverCalendar(session.userId, params.id),
  );
  serveCall(server, http, calls.findListingDeal, ({ session, params }) =>
    deals.findAbout(session.userId, params.id),
  );
  serveCall(server, http, calls.listDealsOfListing, async ({ session, params }) => ({
    items: await deals.listOfListing(session.userId, params.id),
  }));
};
