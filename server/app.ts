import type { ConsoleRole } from '#contract/console.ts';
import type { Config } from './config.ts';
import type { Events } from './events.ts';
import type { SessionCache } from './features/accounts/session-cache.ts';
import type { SignOnProviderCache } from './features/accounts/sign-on-provider-cache.ts';
import type { SigningKeyCache } from './features/accounts/signing-key-cache.ts';
import type { VerifiedTokenCache } from './features/accounts/verified-token-cache.ts';
import type { AnnouncementCache } from './features/announcements/announcement-cache.ts';
import type { MessageBatcher } from './features/conversations/message-batcher.ts';
import type { ResumeChecker } from './features/forms/resume-check.ts';
import type { SharedListingReads } from './features/listings/deduplicate-reads.ts';
import type { MatchCountCache } from './features/listings/match-count-cache.ts';
import type { OverviewCache } from './features/moderation/overview/overview-cache.ts';
import type { HiddenPhotos } from './features/photos/hidden-photos.ts';
import type { UploadTiming } from './features/photos/upload-timing.ts';
import type { PushConnections } from './features/push/connections.ts';
import type { PushThrottle } from './features/push/throttle.ts';
import type { VapidKeyCache } from './features/push/vapid-key-cache.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Bus } from './platform/bus/bus.ts';
import type { Clock } from './platform/clock.ts';
import type { FileStore } from './platform/files/files.ts';
import type { ImageProcessor } from './platform/images/images.ts';
import type { JobQueue } from './platform/jobs.ts';
import type { Queryable, Sql } from './platform/postgres/database.ts';
import type { SearchRunner } from './platform/postgres/search-database.ts';
import type { Log } from './platform/process/log.ts';
import type { Session } from './platform/process/request-context.ts';
import type { RateLimits } from './platform/rate-limits.ts';
import type { Secrets } from './platform/secrets.ts';

/** A person who acts through a command instead of a request, such as an administrator in a shell. */
export interface CommandActor {
  /** `shell:` followed by a user name of the operating system. */
  name: string;
  reason: string;
}

/**
 * Everything that is outside of the application, or that its features share. There is one `App` per process: the server,
 * a command and the demo campus create theirs with `createApp` (create-app.ts), and tests replace members of it.
 * Features are modules of functions that take it first.
 */
export interface App {
  config: Config;
  /** The connection pool to PostgreSQL. */
  sql: Sql;
  /** Runs searches, on their own connections or on standbys. */
  search: SearchRunner;
  clock: Clock;
  /** Sends messages to all processes. */
  bus: Bus;
  /** Adds jobs within a transaction; the plugins of the features declare what the jobs do. */
  jobs: Pick<JobQueue, 'enqueue'>;
  /** Queues emails within a transaction. */
  mail: Mailer;
  files: FileStore;
  images: ImageProcessor;
  /** Checks uploaded resumes in a process of its own, which starts with the first one. */
  resumeChecker: ResumeChecker;
  /** Keeps the overview of the console in memory. */
  overviewCache: OverviewCache;
  secrets: Secrets;
  log: Log;
  limits: RateLimits;
  announcementCache: AnnouncementCache;
  /** Stores messages that arrive together with one statement. */
  messageBatcher: MessageBatcher;
  /** The key pair that identifies this server to push services. */
  vapidKeyCache: VapidKeyCache;
  /** The connections to push services, which stay open. Tests allow push services on this machine. */
  pushConnections: PushConnections;
  /** Keeps a few accounts from using up all requests to push services. */
  pushThrottle: PushThrottle;
  signingKeys: SigningKeyCache;
  /** What the university's sign-on has published about itself. */
  signOnProvider: SignOnProviderCache;
  /** Access tokens whose signature was verified. */
  verifiedTokens: VerifiedTokenCache;
  /** Sessions that were found active a few seconds ago. */
  activeSessions: SessionCache;
  /** The person who acts through a command. In requests it is undefined, because each has its own person. */
  actor: CommandActor | undefined;
  matchCounts: MatchCountCache;
  /** Shares the results of identical concurrent reads of listings. */
  sharedReads: SharedListingReads;
  /** Which photos only their owners and moderators may see. */
  hiddenPhotos: HiddenPhotos;
  /** How long uploads may take, and how often they renew their slots. */
  uploadTiming: UploadTiming;
  sessionChecks: SessionChecks;
  /** What happens when something changes (reactions.ts). */
  reactions: Reactions;
}

/** The checks of requests that accounts provide for the middleware, which knows no features. */
export interface SessionChecks {
  /** Returns the active session of an access token, or undefined when the token is no longer valid. */
  authenticate(app: App, accessToken: string): Promise<Session | undefined>;
  /**
   * Returns the console role of the account to which a session belongs. Rejects with a Problem when the role
   * does not include the needed role, or when the second factor was not verified in the session.
   */
  requireConsoleRole(
    app: App,
    session: Pick<Session, 'sessionId'>,
    needed: ConsoleRole,
  ): Promise<ConsoleRole>;
}

/** Reacts to an event, in the transaction in which it happens. */
export type Reaction<Event> = (app: App, tx: Queryable, event: Event) => Promise<void>;

/** The reactions to each event, in the order in which they run. */
export type Reactions = { readonly [Name in keyof Events]: readonly Reaction<Events[Name]>[] };

/** Runs the reactions to an event one after another. Rejects with the first error of a reaction. */
export const react = async <Name extends keyof Events>(
  app: App,
  tx: Queryable,
  name: Name,
  event: Events[Name],
): Promise<void> => {
  const reactions: readonly Reaction<Events[Name]>[] = app.reactions[name];
  for (const reaction of reactions) await reaction(app, tx, event);
};
