import type { Campus } from '#contract/campus.ts';
import type { S3Settings } from '#server/platform/files/files-s3.ts';
import { splitReadDatabaseUrl } from '#server/platform/postgres/database-url.ts';
import { type Environment, environmentSchema } from './settings.ts';

/**
 * How mail is sent: through an SMTP server, or to the development mailbox, which prints and stores
 * it. With `nothing`, no mail is sent, and requests that need a mailed code or link are refused.
 */
export type MailSettings = { by: 'smtp'; url: string } | { by: 'mailbox' } | { by: 'nothing' };

const toS3Settings = (env: Environment): S3Settings | undefined => {
  const names = [
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_BUCKET',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ] as const;
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) {
    throw new Error(`Wrong configuration: the S3 store needs ${missing.join(', ')} too`);
  }
  const [endpoint = '', region = '', bucket = '', accessKeyId = '', secretAccessKey = ''] = names.map(
    (name) => env[name],
  );
  return { endpoint, region, bucket, accessKeyId, secretAccessKey };
};

/**
 * Returns whether the server is public, possibly behind a proxy, as indicated by an https
 * PUBLIC_URL.
 */
const isPublicServer = ({ PUBLIC_URL }: Environment): boolean => PUBLIC_URL?.startsWith('https:') ?? false;

const toMailSettings = (env: Environment): MailSettings => {
  if (!env.MAIL) return { by: 'nothing' };
  if (env.SMTP_URL !== undefined) return { by: 'smtp', url: env.SMTP_URL };
  if (isPublicServer(env)) {
    throw new Error(
      'Wrong configuration: with an https PUBLIC_URL set SMTP_URL to a mail server, or MAIL=off to go without mail',
    );
  }
  return { by: 'mailbox' };
};

/**
 * Returns the descriptor of the listening socket that systemd passed to this process (sd_listen_fds(3)), or
 * undefined when there is none.
 */
const getListenFd = ({ LISTEN_FDS, LISTEN_PID }: Environment): number | undefined => {
  // Child processes inherit these environment variables but not the socket, so the variables are
  // valid only in the process with the id LISTEN_PID.
  if (LISTEN_FDS === undefined || LISTEN_PID !== process.pid) return undefined;
  if (LISTEN_FDS !== 1) throw new Error('Wrong configuration: LISTEN_FDS must be 1, one socket for all');
  return 3;
};

const toCampus = (env: Environment): Campus => ({
  name: env.CAMPUS_NAME,
  shortName: env.CAMPUS_SHORT_NAME,
  domain: env.CAMPUS_DOMAIN,
  addressAliases: env.CAMPUS_ADDRESS_ALIASES,
  mascot: env.CAMPUS_MASCOT,
  timezone: env.CAMPUS_TIMEZONE,
  locale: env.CAMPUS_LOCALE,
  siteName: env.SITE_NAME,
  supportEmail: env.SUPPORT_EMAIL ?? `support@${env.CAMPUS_DOMAIN}`,
});

const readReadUrls = (readUrl: string): string[] => {
  try {
    return splitReadDatabaseUrl(readUrl);
  } catch (error) {
    throw new Error(`Wrong configuration: ${error instanceof Error ? error.message : error}`);
  }
};

/**
 * Builds the configuration from the environment and checks settings that depend on one another. `settings.ts` documents
 * each setting.
 */
const toConfig = (env: Environment) => {
  if (!env.RATE_LIMITS && env.NODE_ENV === 'production' && env.DATABASE_URL) {
    throw new Error(
      'Wrong configuration: RATE_LIMITS can be off only with the embedded database or outside production',
    );
  }
  if (!env.RATE_LIMITS && isPublicServer(env))
    throw new Error('Wrong configuration: RATE_LIMITS cannot be off with an https PUBLIC_URL');
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const)
    if (env[name] && !env.DATABASE_URL)
      throw new Error(`Wrong configuration: ${name} needs DATABASE_URL too`);
  return {
    port: env.PORT,
    host: env.HOST,
    /** A listening socket that this process inherited, used instead of port and host. */
    listenFd: getListenFd(env),
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    workers: env.WORKERS,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    /**
     * Connection string that bypasses the pooler at `databaseUrl`; set if this pooler runs in transaction
     * mode.
     */
    directDatabaseUrl: env.DATABASE_DIRECT_URL,
    /** Connection strings of the servers that may handle searches; each names one server. */
    readDatabaseUrls: env.DATABASE_READ_URL ? readReadUrls(env.DATABASE_READ_URL) : [],
    s3: toS3Settings(env),
    redisUrl: env.REDIS_URL,
    metricsToken: env.METRICS_TOKEN,
    mail: toMailSettings(env),
    mailFrom: env.MAIL_FROM ?? { name: env.SITE_NAME, address: `no-reply@${env.CAMPUS_DOMAIN}` },
    trustProxy: env.TRUST_PROXY,
    demo: env.DEMO ?? (env.DATABASE_URL === undefined && !isPublicServer(env)),
    rateLimits: env.RATE_LIMITS,
    offline: env.OFFLINE,
    listingCheckDays: env.LISTING_CHECK_DAYS,
    listingPauseDays: env.LISTING_PAUSE_DAYS,
    campusOnly: env.CAMPUS_ONLY,
    campus: toCampus(env),
  };
};

/** The validated configuration of the server. */
export type Config = ReturnType<typeof toConfig>;

/**
 * Reads the configuration, once at start.
 * Throws an Error whose one-line message names every wrong variable and the reason.
 */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  // An empty variable counts as unset, as in a compose file's `PORT=`.
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new Error(`Wrong configuration: ${problems.join('; ')}`);
  }
  return toConfig(parsed.data);
};
