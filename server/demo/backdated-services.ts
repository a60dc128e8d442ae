import type { Campus } from '#contract/campus.ts';
import { readConfig } from '#server/config.ts';
import { createConversationService, skipDueUnreadMail } from '#server/features/conversations/public.ts';
import {
  applyDealDeadlines,
  type DealSettlingJob,
  dealSettlingQueue,
  drawGifts,
  scheduleSettling,
  sendDealNotices,
  settleDeals,
} from '#server/features/deals/public.ts';
import { createMeetingSpotService } from '#server/features/handovers/public.ts';
import {
  createNotificationJob,
  createNotifier,
  notificationQueue,
  skipDueNotificationEmails,
} from '#server/features/notifications/public.ts';
import { createReviewService } from '#server/features/reviews/public.ts';
import {
  createListingMatchingScheduler,
  createMatchingJob,
  createMatchNotifier,
  createSavedSearchService,
  matchingDelaySeconds,
} from '#server/features/saved-searches/public.ts';
import { createMailer } from '#server/mail/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { runInTransaction, type Sql, type Transaction } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { noRateLimits } from '#server/platform/rate-limits.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { createApp } from '#server/start/create-app.ts';
import { createBackdatedModerationServices } from './backdated-moderation.ts';

/** The actor of audit entries of the past. `finish` removes them, because nobody used the server at that time. */
const pastActor = { name: 'demo campus', reason: 'demo campus' };

const refuse = async (): Promise<never> => {
  throw new Error('The demo campus stores its files before its past');
};
const refuseList = (): never => {
  throw new Error('The demo campus stores its files before its past');
};

const findNextDeadline = async (transaction: Transaction, until: Date): Promise<Date | undefined> => {
  const [row] = await transaction<{ next: Date | null }[]>`
    SELECT least(
      (SELECT min(deadline_at) FROM deals WHERE deadline_at <= ${until}),
      (SELECT min(draw_closes_at) FROM listings
        WHERE gift_mode = 'draw' AND drawn_at IS NULL AND status = 'published' AND draw_closes_at <= ${until})
    ) AS next`;
  return row?.next ?? undefined;
};

/**
 * Creates the services with which demo people exchange messages and make deals, inside one transaction and at
 * a time in the past. The services queue no emails and publish nothing on the bus, because the server is not
 * running yet.
 */
export const createBackdatedServices = (transaction: Transaction, campus: Campus) => {
  let time = new Date(0);
  let unsettled: DealSettlingJob[] = [];
  // The functions of features begin their transactions with `runInTransaction`, which begins a savepoint in this one.
  // Temporary: services that are not yet functions call `begin`.
  const begin = <Result>(work: (tx: Transaction) => Promise<Result>) => runInTransaction(transaction, work);
  const sql = Object.assign(transaction, { begin }) as unknown as Sql;
  const clock = { now: () => time, elapsed: () => time.getTime() };
  const app = createApp({
    config: { ...readConfig({}), campus, rateLimits: false },
    sql,
    search: (work) => work(sql),
    clock,
    bus: {
      publish: async () => {},
      subscribe: () => () => {},
      isDisconnected: () => false,
      close: async () => {},
    },
    jobs: {
      // Keep the checks of deals, which `settle` runs, and store notifications at once. Drop all other jobs: their work
      // is not due, or `finish` does it.
      enqueue: async (_tx, queue, payload) => {
        if (queue.name === dealSettlingQueue.name) unsettled.push(dealSettlingQueue.payload.parse(payload));
        if (queue.name === notificationQueue.name) await storeEvent(notificationQueue.payload.parse(payload));
      },
    },
    mail: createMailer(async () => {}),
    files: { put: refuse, read: refuse, delete: refuse, list: refuseList, removeUnfinished: refuse },
    // This process starts with the first image, and there is none.
    images: createImageProcessor(),
    secrets: generateSecrets(),
    log: silentLog,
    limits: noRateLimits,
    actor: pastActor,
  });
  const { bus, mail: mailer } = app;
  const invalidation = { listingChanged: async () => {}, profileChanged: async () => {} };
  const spots = createMeetingSpotService({ sql });
  const storeEvent = createNotificationJob({ sql, clock, bus });
  const notify = createNotifier(app.jobs);
  const listingMatching = createListingMatchingScheduler(app.jobs, clock);
  const matchListings = createMatchingJob({
    sql,
    clock,
    campus,
    notifyOfMatches: createMatchNotifier(notify),
  });
  const reviews = createReviewService({
    sql,
    clock,
    campus,
    invalidation,
    assertHasProfile: async () => {},
    notify,
  });

  /**
   * Ends or renews the offers that the latest step affects, like the job that the server runs after each
   * step.
   */
  const settle = async (): Promise<void> => {
    const waiting = unsettled;
    unsettled = [];
    for (const settling of waiting) await settleDeals(app, settling);
  };

  return {
    app,
    conversations: createConversationService({ sql, clock, bus, mailer, limited: false }),
    reviews,
    savedSearches: createSavedSearchService({ sql, clock, campus, bus }),
    moderation: createBackdatedModerationServices({
      ...{ sql, clock, notify, invalidation },
      scheduleSettling: (tx, settling) => scheduleSettling(app, tx, settling),
      matching: listingMatching,
    }),
    settle,
    listSpots: async () => (await spots.list()).items,

    /** Matches a listing that was just published with the saved searches. */
    matchListing: async (id: string): Promise<void> => {
      await listingMatching.scheduleForPublished(transaction, id);
      time = addSeconds(time, matchingDelaySeconds);
      await matchListings();
    },

    /**
     * Moves the services' clock to the given time. Deal deadlines and gift draws due before that time are
     * applied on the way, each at its own time.
     */
    moveTo: async (instant: Date): Promise<void> => {
      for (
        let due = await findNextDeadline(transaction, instant);
        due;
        due = await findNextDeadline(transaction, instant)
      ) {
        time = due;
        await applyDealDeadlines(app);
        await drawGifts(app);
        await settle();
      }
      time = instant;
    },

    /**
     * Finishes the work of the server's jobs up to the current time without sending any emails, so that the
     * jobs find no old work when the server starts.
     */
    finish: async (): Promise<void> => {
      await transaction`DELETE FROM private.security_events WHERE actor = ${pastActor.name}`;
      await reviews.countPublishedReviews();
      await sendDealNotices(app);
      await skipDueUnreadMail(transaction);
      await skipDueNotificationEmails(transaction);
    },
  };
};

export type BackdatedServices = ReturnType<typeof createBackdatedServices>;
