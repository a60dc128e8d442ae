import { join } from 'node:path';
import type { PublicDataReader } from '#contract/page-rendering.ts';
import type { App } from '#server/app.ts';
import { deleteUnconfirmedAccount } from '#server/features/account-deletion/public.ts';
import { createAnnouncementReader } from '#server/features/announcements/public.ts';
import { createAuditTrail } from '#server/features/audit/public.ts';
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
  createDealSettlingScheduler,
  findDealPush,
  hasEverBeenClaimed,
  recordSale,
  settleRemovedListing,
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
import { createPageInvalidation } from '#server/pages/page-invalidation.ts';
import { parseJson } from '#server/platform/json/json-text.ts';
import { createAdministrationServices } from './administration-services.ts';

/** What tests replace in addition to the members of the App. */
export interface ServiceOptions {
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
}

/**
 * Creates the services of all features. Creating them has no side effects; each service acts only
 * when it is called.
 */
export const createServices = (app: App, options: ServiceOptions = {}) => {
  const { config, sql, search: runSearch, clock, secrets, bus, jobs, mail: mailer, files, images } = app;
  const { log } = app;
  const { campus, publicUrl } = config;
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
  const audit = createAuditTrail({ sql, clock, pepper: secrets.pepper, actor: app.actor });
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
      scheduleSettling: dealSettlingScheduler.scheduleSettling,
      scheduleSaleSettling: dealSettlingScheduler.scheduleSaleSettling,
      recordSale: async (tx, sale) => {
        await recordSale(app, tx, sale);
        return async () => {};
      },
      scheduleChangeNotices: dealSettlingScheduler.scheduleChangeNotices,
      storePublicTerms: dealSettlingScheduler.storePublicTerms,
      assertSaleNotInDeal,
      assertMayChange: assertMayChangeListing,
      hasEverBeenClaimed,
      assertMayDelete: assertMayDeleteListing,
      assertNotHandedOver: assertNoUnconfirmedHandover,
      settleRemoved: (listingId) => settleRemovedListing(app, listingId),
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
    deal: { findPush: (request: Parameters<typeof findDealPush>[1]) => findDealPush(app, request) },
  };
  return {
    listingModeration,
    endWaitingActions: createWaitingActions({ clock, audit }).endAllOf,
    photos,
    profiles,
    listings,
    announcement,
    reads,
    reviews,
    savedListings: createSavedListingService({ sql, clock, campus }),
    sendSavedListingAlerts: createSavedListingAlertJob({ sql, clock, notify }),
    savedSearches: createSavedSearchService({ sql, clock, campus, bus }),
    removeStaleMatches: () => removeStaleMatches(sql),
    matchListings: createMatchingJob({
      sql,
      clock,
      campus,
      notifyOfMatches: options.notifyOfMatches ?? createMatchNotifier(notify),
    }),
    notifications: createNotificationService({ sql, clock, campus, bus }),
    notificationSettings,
    storeNotifications: createNotificationJob({ sql, clock, bus }),
    emailNotifications: createNotificationEmailJob({ sql, clock, campus, mailer }),
    pushSubscriptions: createPushSubscriptionService({
      sql,
      clock,
      getKeys: getVapidKeys,
      allowsPrivateHosts: options.localPushServices !== undefined,
    }),
    queueDuePushes: createPushDispatch({ sql, clock, campus, jobs }),
    deliverPush: createPushDelivery({
      sql,
      clock,
      campus,
      jobs,
      log: log,
      sources: pushSources,
      send: createPushSender({
        getKeys: getVapidKeys,
        contact: `mailto:${campus.supportEmail}`,
        stopping: stoppingPushes.signal,
        localServices: options.localPushServices,
      }),
    }),
    findUnreadPushes: createUnreadPushChecker(pushSources),
    preparePushKeys: getVapidKeys,
    stopPushes: () => stoppingPushes.abort(),
    moderation,
    forms,
    conversations,
    eventLines,
    meetingSpots,
    unreadMail: createUnreadMailService({ sql, clock, campus, mailer }),
    dataExport: createDataExportService({
      sql,
      clock,
      publicUrl,
      readNotificationSettings: notificationSettings.export,
    }),
    console: {
      ...createAdministrationServices(app),
      overview: createOverviewService({ sql, clock, campus }),
      files,
    },
    retention: createRetentionService({
      sql,
      clock,
      accountDeletion: { deleteUnconfirmed: (...args) => deleteUnconfirmedAccount(app, ...args) },
      forms,
      cases: moderation.caseRemoval,
    }),
    textBackfill: createTextBackfill({ sql, campus, audit, invalidation }),
  };
};
