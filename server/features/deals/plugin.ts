import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { declareQueueJob, declareScheduledJob } from '#server/platform/jobs.ts';
import { applyDealDeadlines } from './deadline-job.ts';
import { drawGifts } from './draw.ts';
import { listFurtherDealIds, makeDealTransition } from './make-transition.ts';
import { sendDealNotices } from './notice-job.ts';
import {
  findListingDeal,
  getDeal,
  listDeals,
  listDealsOfListing,
  listHandovers,
  renderHandoverCalendar,
  renderHandoversCalendar,
} from './read-deals.ts';
import { addRentalPhotos, listRentalPhotos, removeRentalPhotos } from './rental-photos.ts';
import { settleDeals, settleMissedDeals } from './settling.ts';
import { dealSettlingQueue } from './settling-queue.ts';
import { startDeal } from './start-deal.ts';

/**
 * Registers the routes of deals, which only their two parties can access, and the jobs for deadlines,
 * draws, notices and changed listings.
 */
export const dealsPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(
    declareScheduledJob('apply-deal-deadlines', '* * * * *', () => applyDealDeadlines(app)),
    declareScheduledJob('draw-gifts', '* * * * *', () => drawGifts(app)),
    declareScheduledJob('send-deal-notices', '* * * * *', () => sendDealNotices(app)),
    declareScheduledJob('settle-missed-deals', '* * * * *', () => settleMissedDeals(app)),
    declareQueueJob(dealSettlingQueue, (settling) => settleDeals(app, settling)),
  );

  serveCall(server, app, calls.startDeal, ({ session, body }) => startDeal(app, session.userId, body));
  serveCall(server, app, calls.makeDealTransition, async ({ session, params, body, address }) => {
    // The call itself was counted once.
    for (const _ of listFurtherDealIds(params.id, body))
      await app.limits.consume('deal', { address, userId: session.userId });
    return makeDealTransition(app, session.userId, params.id, body);
  });
  serveCall(server, app, calls.listDeals, ({ session, query }) => listDeals(app, session.userId, query));
  serveCall(server, app, calls.getDeal, ({ session, params }) => getDeal(app, session.userId, params.id));
  serveCall(server, app, calls.listRentalPhotos, async ({ session, params }) => ({
    items: await listRentalPhotos(app, session.userId, params.id),
  }));
  serveCall(server, app, calls.addRentalPhotos, ({ session, params, body }) =>
    addRentalPhotos(app, session.userId, params.id, body),
  );
  serveCall(server, app, calls.removeRentalPhotos, ({ session, params }) =>
    removeRentalPhotos(app, session.userId, params.id, params.message_id),
  );
  serveCall(server, app, calls.downloadHandoverCalendar, ({ session, params }) =>
    renderHandoverCalendar(app, session.userId, params.id),
  );
  serveCall(server, app, calls.listHandovers, ({ session }) => listHandovers(app, session.userId));
  serveCall(server, app, calls.downloadHandoversCalendar, ({ session }) =>
    renderHandoversCalendar(app, session.userId),
  );
  serveCall(server, app, calls.findListingDeal, ({ session, params }) =>
    findListingDeal(app, session.userId, params.id),
  );
  serveCall(server, app, calls.listDealsOfListing, async ({ session, params }) => ({
    items: await listDealsOfListing(app, session.userId, params.id),
  }));
};
