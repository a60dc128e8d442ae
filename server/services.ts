import { join } from 'node:path';
import type { PublicReads } from '#contract/reads.ts';
import { createAccountServices } from './accounts/public.ts';
import { createAudit } from './audit/public.ts';
import type { Config } from './config.ts';
import { createConversations, createUnreadMail } from './conversations/public.ts';
import { createDataExport } from './data-export/public.ts';
import { createForms } from './forms/public.ts';
import { createListings } from './listings/public.ts';
import type { Mailer } from './mail/mailer.ts';
import { openAccountDeletion } from './open-account-deletion.ts';
import { createPageInvalidation } from './pages/page-invalidation.ts';
import { createFileRemoval, createPhotoService } from './photos/public.ts';
import type { Bus } from './platform/bus/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { Files } from './platform/files/files.ts';
import type { Images } from './platform/images/images.ts';
import type { Jobs } from './platform/jobs.ts';
import { parseJson } from './platform/json/json-text.ts';
import type { Sql } from './platform/postgres/database.ts';
import type { RateLimits } from './platform/rate-limits.ts';
import type { Secrets } from './platform/secrets.ts';
import { createProfiles } from './profiles/public.ts';
import { createRetention } from './retention/public.ts';
import { createStoredTexts } from './stored-texts/public.ts';

/** The dependencies of the services. */
export interface ServiceDeps {
  config: Config;
  sql: Sql;
  /** A second pool on the same database that plans statements for each search term. */
  searchSql: Sql;
  clock: Clock;
  secrets: Secrets;
  bus: Bus;
  jobs: Jobs;
  mailer: Mailer;
  files: Files;
  images: Images;
  rateLimits: RateLimits;
}

/** Creates the services of all features. None of them does anything before it is called. */
export const createServices = (deps: ServiceDeps) => {
  const { config, sql, searchSql, clock, secrets, bus, jobs, mailer, files, images, rateLimits } = deps;
  const { campus, campusOnly, publicUrl } = config;
  const uploads = join(config.dataDir, 'uploads');
  const invalidation = createPageInvalidation(bus);
  const removeFiles = createFileRemoval(jobs);
  const audit = createAudit({ sql, clock, pepper: secrets.pepper });
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
  });
  const photos = createPhotoService({ sql, files, images, clock, uploads });
  const listings = createListings({
    sql,
    searchSql,
    clock,
    campus,
    photos,
    invalidation,
    bus,
    removeFiles,
  });
  /** The read API for pages, which are rendered in this process. */
  const reads: PublicReads = {
    listListings: async (query) => parseJson(await listings.listPublished(query)),
    listSimilarMatches: async (query) => parseJson(await listings.listSimilarMatches(query)),
    listLatest: async (limit) => parseJson(await listings.listLatest(limit)),
    getListing: async (slug) => parseJson(await listings.getPublished(slug)),
    listSimilar: async (slug) => parseJson(await listings.listSimilar(slug)),
  };
  const forms = createForms({ sql, clock, campus, jobs, mailer, files, uploads });
  const accountDeletion = openAccountDeletion({ sql, clock, bus, jobs, audit });
  return {
    accounts,
    photos,
    profiles: createProfiles({ sql, clock, campus, photos, invalidation, removeFiles }),
    listings,
    reads,
    forms,
    conversations: createConversations({ sql, clock, bus, mailer, limited: config.rateLimits }),
    unreadMail: createUnreadMail({ sql, clock, mailer }),
    dataExport: createDataExport({ sql, clock, publicUrl }),
    accountDeletion,
    retention: createRetention({ sql, clock, accountDeletion, forms }),
    storedTexts: createStoredTexts({ sql, campus, audit, invalidation }),
  };
};
