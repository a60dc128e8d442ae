import type { Campus } from '#contract/campus.ts';
import type { App, CommandActor } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { createApp } from '#server/create-app.ts';
import { skipDueUnreadMail } from '#server/features/conversations/public.ts';
import {
  applyDealDeadlines,
  type DealSettlingJob,
  dealSettlingQueue,
  drawGifts,
  sendDealNotices,
  settleDeals,
} from '#server/features/deals/public.ts';
import { type QuotedPhotoCopyJob, quotedPhotoCopyQueue } from '#server/features/moderation/public.ts';
import {
  notificationQueue,
  skipDueNotificationEmails,
  storeNotificationEvent,
} from '#server/features/notifications/public.ts';
import { countPublishedReviews } from '#server/features/reviews/public.ts';
import { computeSalePrices } from '#server/features/sale-prices/public.ts';
import {
  matchDueListings,
  matchingDelaySeconds,
  matchPublishedListing,
} from '#server/features/saved-searches/public.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { noRateLimits } from '#server/platform/no-rate-limits.ts';
import type { Sql, Transaction } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { generateSecrets } from '#server/platform/secrets.ts';

/** Acts in the past of the demo campus, until `finish` removes its traces from the audit trail. */
const actor: CommandActor = { name: 'demo', reason: 'demo campus' };

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

/** Creates an App inside one transaction that sends nothing and stores no files. */
const createSilentApp = (
  transaction: Transaction,
  campus: Campus,
  clock: Clock,
  enqueue: App['jobs']['enqueue'],
): App => {
  // `runInTransaction` begins a savepoint in this transaction.
  const sql = transaction as unknown as Sql;
  return createApp({
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
    jobs: { enqueue },
    mail: { assertSending: () => {}, send: async () => {} },
    files: {
      put: refuse,
      copy: refuse,
      read: refuse,
      delete: refuse,
      list: refuseList,
      removeUnfinished: refuse,
    },
    // This process starts with the first image, and there is none.
    images: createImageProcessor(),
    secrets: generateSecrets(),
    log: silentLog,
    limits: noRateLimits,
    actor,
  });
};

/**
 * Creates an App in which demo people exchange messages and make deals, inside one transaction and at a time in the past.
 * It queues no emails and publishes nothing on the bus, because the server is not running yet.
 */
export const createPastApp = (transaction: Transaction, campus: Campus) => {
  let time = new Date(0);
  let unsettled: DealSettlingJob[] = [];
  const quotedPhotos: QuotedPhotoCopyJob[] = [];
  const clock = { now: () => time, elapsed: () => time.getTime() };
  // Keep the checks of deals, which `settle` runs, and the photos of reported content, which the caller copies, and
  // store notifications at once. Drop all other jobs: their work is not due, or has been done, or `finish` does it.
  const enqueue: App['jobs']['enqueue'] = async (_tx, queue, payload) => {
    if (queue.name === dealSettlingQueue.name) unsettled.push(dealSettlingQueue.payload.parse(payload));
    if (queue.name === quotedPhotoCopyQueue.name)
      quotedPhotos.push(quotedPhotoCopyQueue.payload.parse(payload));
    if (queue.name === notificationQueue.name)
      await storeNotificationEvent(app, notificationQueue.payload.parse(payload));
  };
  const app = createSilentApp(transaction, campus, clock, enqueue);
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
    /** The App at the current time of the past. */
    app,
    /** The photos of reported content, which the caller must copy. */
    quotedPhotos,
    settle,

    /** Matches a listing that was just published with the saved searches. */
    matchListing: async (id: string): Promise<void> => {
      await matchPublishedListing(app, transaction, id);
      time = addSeconds(time, matchingDelaySeconds);
      await matchDueListings(app);
    },

    /**
     * Moves the clock to the given time. Deal deadlines and gift draws due before that time are
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
     * jobs find no old work when the server starts. Empties the audit trail, because nobody used the server at that
     * time.
     */
    finish: async (): Promise<void> => {
      await countPublishedReviews(app);
      await computeSalePrices(app);
      await sendDealNotices(app);
      await skipDueUnreadMail(transaction);
      await skipDueNotificationEmails(transaction);
      await transaction`DELETE FROM private.security_events WHERE actor = ${actor.name}`;
    },
  };
};

export type PastApp = ReturnType<typeof createPastApp>;
