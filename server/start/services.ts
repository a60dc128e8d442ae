import { join } from 'node:path';
import type { PublicDataReader } from '#contract/page-rendering.ts';
import type { Config } from '#server/config.ts';
import { createAccountModeration, createAccountServices } from '#server/features/accounts/public.ts';
import { createAnnouncementReader } from '#server/features/announcements/public.ts';
import { createAuditTrail } from '#server/features/audit/public.ts';
import { createBlockService } from '#server/features/blocks/public.ts';
import { createOverviewService } from '#server/features/console/public.ts';
import {
  createConversationPushSource,
  createConversationService,
  createEventLineService,
  createUnreadMailService,
} from '#server/features/conversations/public.ts';
import { createDataExportService } from '#server/features/data-export/public.ts';
import {
  assertMayChangeListing,
  assertMayDeleteListing,
  assertNoUnconfirmedHandover,
  assertSaleNotInDeal,
  createDeadlineJob,
  createDealPushSource,
  createDealService,
  createDealSettling,
  createDealSettlingScheduler,
  createDrawJob,
  createHandoverMailer,
  createNoticeJob,
  createSaleRecorder,
  hasEverBeenClaimed,
} from '#server/features/deals/public.ts';
import { createFormService } from '#server/features/forms/public.ts';
import { createMeetingSpotService } from '#server/features/handovers/public.ts';
import {
  createListingModeration,
  createListingRemovalScheduler,
  createListingService,
} from '#server/features/listings/public.ts';
import { createReportingServices, createWaitingActions } from '#server/features/moderation/public.ts';
import {
  createNotificationEmailJob,
  createNotificationJob,
  createNotificationPushSource,
  createNotificationService,
  createNotificationSettingsService,
  createNotifier,
} from '#server/features/notifications/public.ts';
import { createFileRemovalScheduler, createPhotoService } from '#server/features/photos/public.ts';
import { createProfileService } from '#server/features/profiles/public.ts';
import {
  createPushDelivery,
  createPushDispatch,
  createPushSender,
  createPushSubscriptionService,
  createUnreadPushChecker,
  createVapidKeyReader,
  type LocalPushServices,
} from '#server/features/push/public.ts';
import { createRetentionService } from '#server/features/retention/public.ts';
import { createReviewService } from '#server/features/reviews/public.ts';
import {
  createSavedListingAlertJob,
  createSavedListingService,
} from '#server/features/saved-listings/public.ts';
import {
  createListingMatchingScheduler,
  createMatchingJob,
  createMatchNotifier,
  createSavedSearchService,
  type MatchNotifier,
  removeStaleMatches,
  rescheduleDailyAlerts,
} from '#server/features/saved-searches/public.ts';
import { createTextBackfill } from '#server/features/text-backfill/public.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { createPageInvalidation } from '#server/pages/page-invalidation.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import type { ImageProcessor } from '#server/platform/images/images.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import { parseJson } from '#server/platform/json/json-text.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { SearchRunner } from '#server/platform/postgres/search-database.ts';
import { type Log, silentLog } from '#server/platform/process/log.ts';
import type { RateLimits } from '#server/platform/rate-limits.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { createAdministrationServices } from './administration-services.ts';
import { openAccountDeletion } from './open-account-deletion.ts';

/** What the services of all features depend on. */
export interface ServiceDeps {
  config: Config;
  sql: Sql;
  runSearch: SearchRunner;
  clock: Clock;
  secrets: Secrets;
  bus: Bus;
  jobs: JobQueue;
  mailer: Mailer;
  files: FileStore;
  images: ImageProcessor;
  rateLimits: RateLimits;
  /**
   * Reports new matches of saved searches. Tests replace the default, which notifies the people who saved the
   * searches.
   */
  notifyOfMatches?: MatchNotifier | undefined;
  /**
   * Push services that tests run on this machine. Without this exception, the server refuses push services
   * whose addresses are not public.
   */
  localPushServices?: LocalPushServices | undefined;
  log?: Pick<Log, 'warn'> | undefined;
}

/**
 * Creates the services of all features. Creating them has no side effects; each service acts only
 * when it is called.
 */
export const createServices = (deps: ServiceDeps) => {
  const { config, sql, runSearch, clock, secrets, bus, jobs, mailer, files, images, rateLimits } = deps;
  const { campus, campusOnly, publicUrl } = config;
  const uploads = join(config.dataDir, 'uploads');
  const invalidation = createPageInvalidation(bus);
  const removeFiles = createFileRemovalScheduler(jobs);
  const notify = createNotifier(jobs);
  const notificationSettings = createNotificationSettingsService({
    sql,
    clock,
    bus,
    rescheduleDigests: (tx, userId) => rescheduleDailyAlerts(tx, userId, { now: clock.now(), campus }),
  });
  const audit = createAuditTrail({ sql, clock, pepper: secrets.pepper });
  const dealSettlingScheduler = createDealSettlingScheduler(jobs);
  const matching = createListingMatchingScheduler(jobs, clock);
  const listingModeration = createListingModeration({
    sql,
    clock,
    invalidation,
    audit,
    notify,
    deals: dealSettlingScheduler,
  });
  const accountModeration = createAccountModeration({
    sql,
    clock,
    bus,
    invalidation,
    listingModeration,
    audit,
    mailer,
    notify,
    endWaitingActions: createWaitingActions({ clock, audit }).endAllOf,
    deals: dealSettlingScheduler,
  });
  const accounts = createAccountServices({
    sql,
    clock,
    bus,
    mailer,
    invalidation,
    rateLimits,
    secrets,
    campus,
    campusOnly,
    publicUrl,
    audit,
    notify,
    liftEndedSuspension: accountModeration.liftEnded,
    log: deps.log,
  });
  const photos = createPhotoService({ sql, files, images, clock, bus, uploads });
  const moderation = createReportingServices({ sql, clock, jobs, files, readPhoto: photos.readOriginal });
  const { openSignal } = moderation;
  const eventLines = createEventLineService({ bus, mailer, limited: config.rateLimits, openSignal });
  const conversations = createConversationService({
    sql,
    clock,
    bus,
    mailer,
    limited: config.rateLimits,
    openSignal,
  });
  const meetingSpots = createMeetingSpotService({ sql });
  const dealDeps = {
    sql,
    clock,
    campus,
    eventLines,
    invalidation,
    scheduleSettling: dealSettlingScheduler.scheduleSettling,
    findSpotName: meetingSpots.findName,
    mailHandover: createHandoverMailer({ campus, publicUrl, mailer }),
    publicUrl,
  };
  const dealSettling = createDealSettling(dealDeps);
  const listings = createListingService({
    sql,
    runSearch,
    clock,
    campus,
    photos,
    invalidation,
    bus,
    removeFiles,
    openSignal,
    deals: {
      scheduleSettling: dealDeps.scheduleSettling,
      scheduleSaleSettling: dealSettlingScheduler.scheduleSaleSettling,
      recordSale: createSaleRecorder(dealDeps),
      scheduleChangeNotices: dealSettlingScheduler.scheduleChangeNotices,
      storePublicTerms: dealSettlingScheduler.storePublicTerms,
      assertSaleNotInDeal,
      assertMayChange: assertMayChangeListing,
      hasEverBeenClaimed,
      assertMayDelete: assertMayDeleteListing,
      assertNotHandedOver: assertNoUnconfirmedHandover,
      settleRemoved: dealSettling.settleRemoved,
    },
    scheduleListingRemoval: createListingRemovalScheduler(jobs),
    matching,
    announceChangeAbout: conversations.announceChangeAbout,
  });
  const profiles = createProfileService({ sql, clock, campus, photos, invalidation, removeFiles });
  const reviews = createReviewService({
    sql,
    clock,
    campus,
    invalidation,
    assertHasProfile: profiles.assertHasProfile,
    notify,
  });
  const announcement = createAnnouncementReader({ sql, clock, bus });
  /**
   * The read API that pages call directly, without HTTP, because they are rendered in this process.
   */
  const reads: PublicDataReader = {
    findAnnouncement: announcement.find,
    listListings: async (query) => parseJson(await listings.listPublished(query)),
    listSimilarMatches: async (query) => parseJson(await listings.listSimilarMatches(query)),
    listLatest: async (limit) => parseJson(await listings.listLatest(limit)),
    getListing: async (slug) => parseJson(await listings.getPublished(slug)),
    listSimilar: async (slug) => parseJson(await listings.listSimilar(slug)),
    getUser: (id) => profiles.getPublic(id),
    listUserReviews: (id) => reviews.listOfUser(id, undefined),
  };
  const forms = createFormService({ sql, clock, campus, jobs, mailer, files, uploads });
  const getVapidKeys = createVapidKeyReader({ sql, clock, pepper: secrets.pepper });
  const stoppingPushes = new AbortController();
  const pushSources = {
    conversation: createConversationPushSource({ sql }),
    notification: createNotificationPushSource({ sql, campus }),
    deal: createDealPushSource({ sql, clock, campus, publicUrl }),
  };
  const accountDeletion = openAccountDeletion({
    sql,
    clock,
    bus,
    jobs,
    audit,
    pepper: secrets.pepper,
    campus,
  });
  return {
    accounts,
    accountModeration,
    photos,
    profiles,
    listings,
    announcement,
    reads,
    reviews,
    blocks: createBlockService({ sql, clock, deals: dealSettlingScheduler }),
    savedListings: createSavedListingService({ sql, clock, campus }),
    sendSavedListingAlerts: createSavedListingAlertJob({ sql, clock, notify }),
    savedSearches: createSavedSearchService({ sql, clock, campus, bus }),
    removeStaleMatches: () => removeStaleMatches(sql),
    matchListings: createMatchingJob({
      sql,
      clock,
      campus,
      notifyOfMatches: deps.notifyOfMatches ?? createMatchNotifier(notify),
    }),
    notifications: createNotificationService({ sql, clock, campus, bus }),
    notificationSettings,
    storeNotifications: createNotificationJob({ sql, clock, bus }),
    emailNotifications: createNotificationEmailJob({ sql, clock, campus, mailer }),
    pushSubscriptions: createPushSubscriptionService({
      sql,
      clock,
      getKeys: getVapidKeys,
      allowsPrivateHosts: deps.localPushServices !== undefined,
    }),
    queueDuePushes: createPushDispatch({ sql, clock, campus, jobs }),
    deliverPush: createPushDelivery({
      sql,
      clock,
      campus,
      jobs,
      log: deps.log ?? silentLog,
      sources: pushSources,
      send: createPushSender({
        getKeys: getVapidKeys,
        contact: `mailto:${campus.supportEmail}`,
        stopping: stoppingPushes.signal,
        localServices: deps.localPushServices,
      }),
    }),
    findUnreadPushes: createUnreadPushChecker(pushSources),
    preparePushKeys: getVapidKeys,
    stopPushes: () => stoppingPushes.abort(),
    moderation,
    forms,
    conversations,
    eventLines,
    deals: createDealService(dealDeps),
    dealSettling,
    applyDealDeadlines: createDeadlineJob(dealDeps),
    drawGifts: createDrawJob(dealDeps),
    sendDealNotices: createNoticeJob({ sql, clock, campus, mailer }),
    meetingSpots,
    unreadMail: createUnreadMailService({ sql, clock, campus, mailer }),
    dataExport: createDataExportService({
      sql,
      clock,
      publicUrl,
      readNotificationSettings: notificationSettings.export,
    }),
    accountDeletion,
    console: {
      ...createAdministrationServices({
        config,
        sql,
        clock,
        bus,
        jobs,
        mailer,
        pepper: secrets.pepper,
        audit,
      }),
      overview: createOverviewService({ sql, clock, campus }),
      files,
    },
    retention: createRetentionService({
      sql,
      clock,
      accountDeletion,
      forms,
      cases: moderation.caseRemoval,
    }),
    textBackfill: createTextBackfill({ sql, campus, audit, invalidation }),
  };
};
