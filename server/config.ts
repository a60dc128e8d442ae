import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createBrandPalette } from '#contract/brand-colors.ts';
import type { Campus, CampusColors } from '#contract/campus.ts';
import type { S3Settings } from '#server/platform/files/files-s3.ts';
import { splitReadDatabaseUrl } from '#server/platform/postgres/database-url.ts';
import { type CampusPreset, readCampusPreset } from './campus-preset.ts';
import { getPhoneNotation } from './phone-numbers.ts';
import { getPriceScale } from './price-scales.ts';
import { type Environment, environmentSchema } from './settings.ts';

/**
 * How mail is sent: through an SMTP server, or to the development mailbox, which prints and stores
 * it. With `nothing`, no mail is sent, and requests that need a mailed code or link are refused.
 */
export type MailSettings = { by: 'smtp'; url: string } | { by: 'mailbox' } | { by: 'nothing' };

const toS3Settings = (env: Environment): S3Settings | undefined => {
  const names = [
    'QUAD_S3_ENDPOINT',
    'QUAD_S3_REGION',
    'QUAD_S3_BUCKET',
    'QUAD_S3_ACCESS_KEY_ID',
    'QUAD_S3_SECRET_ACCESS_KEY',
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
 * QUAD_PUBLIC_URL.
 */
const isPublicServer = ({ QUAD_PUBLIC_URL }: Environment): boolean =>
  QUAD_PUBLIC_URL?.startsWith('https:') ?? false;

const toMailSettings = (env: Environment): MailSettings => {
  if (!env.QUAD_MAIL) return { by: 'nothing' };
  if (env.QUAD_SMTP_URL !== undefined) return { by: 'smtp', url: env.QUAD_SMTP_URL };
  if (isPublicServer(env)) {
    throw new Error(
      'Wrong configuration: with an https QUAD_PUBLIC_URL set QUAD_SMTP_URL to a mail server, or QUAD_MAIL=off to go without mail',
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

export interface SignOnSettings {
  issuer: string;
  clientId: string;
  credential: { secret: string } | { privateKey: string };
  scopes: string;
  affiliationClaim: string;
  /** Values of the claims `acr` and `amr` that prove a second factor. */
  secondFactorValues: readonly string[];
}

const toSignOnSettings = (env: Environment): SignOnSettings | undefined => {
  const {
    QUAD_OIDC_ISSUER: issuer,
    QUAD_OIDC_CLIENT_ID: clientId,
    QUAD_OIDC_CLIENT_SECRET: secret,
    QUAD_OIDC_PRIVATE_KEY: privateKey,
    QUAD_OIDC_NAME: name,
  } = env;
  if (issuer === undefined) {
    if (clientId || secret || privateKey || name || env.QUAD_OIDC_ONLY)
      throw new Error('Wrong configuration: the QUAD_OIDC_ settings need QUAD_OIDC_ISSUER');
    return undefined;
  }
  if (!clientId || !name)
    throw new Error('Wrong configuration: QUAD_OIDC_ISSUER needs QUAD_OIDC_CLIENT_ID and QUAD_OIDC_NAME too');
  if ((secret === undefined) === (privateKey === undefined))
    throw new Error(
      'Wrong configuration: QUAD_OIDC_ISSUER needs either QUAD_OIDC_CLIENT_SECRET or QUAD_OIDC_PRIVATE_KEY',
    );
  return {
    issuer,
    clientId,
    credential: privateKey === undefined ? { secret: secret ?? '' } : { privateKey },
    scopes: env.QUAD_OIDC_SCOPES,
    affiliationClaim: env.QUAD_OIDC_AFFILIATION_CLAIM,
    secondFactorValues: env.QUAD_OIDC_MFA_ACR,
  };
};

const toCampusColors = (brand: string): CampusColors => {
  const { light, dark } = createBrandPalette(brand);
  return { brand, frame: { light: light.brand, dark: dark['brand-deep'] } };
};

const toCampus = (env: Environment, brandColor: string | undefined): Campus => ({
  name: env.QUAD_CAMPUS_NAME,
  shortName: env.QUAD_CAMPUS_SHORT_NAME,
  domain: env.QUAD_CAMPUS_DOMAIN,
  otherDomains: env.QUAD_CAMPUS_DOMAINS.filter((domain) => domain !== env.QUAD_CAMPUS_DOMAIN),
  addressAliases: env.QUAD_CAMPUS_ADDRESS_ALIASES,
  mascot: env.QUAD_CAMPUS_MASCOT,
  timezone: env.QUAD_CAMPUS_TIMEZONE,
  locale: env.QUAD_CAMPUS_LOCALE,
  currency: env.QUAD_CAMPUS_CURRENCY,
  priceScale: getPriceScale(env.QUAD_CAMPUS_CURRENCY),
  country: env.QUAD_CAMPUS_COUNTRY,
  ...getPhoneNotation(env.QUAD_CAMPUS_COUNTRY),
  siteName: env.QUAD_SITE_NAME,
  supportEmail: env.QUAD_SUPPORT_EMAIL ?? `support@${env.QUAD_CAMPUS_DOMAIN}`,
  ...(brandColor !== undefined && { colors: toCampusColors(brandColor) }),
  ...(env.QUAD_TICKET_PRICE_CAP !== undefined && { ticketPriceCap: env.QUAD_TICKET_PRICE_CAP }),
  ...(env.QUAD_OIDC_NAME !== undefined && {
    signOn: {
      name: env.QUAD_OIDC_NAME,
      isRequired: env.QUAD_OIDC_ONLY,
      isOnlySignUp: env.QUAD_OIDC_ONLY && env.QUAD_CAMPUS_ONLY,
    },
  }),
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
const toConfig = (env: Environment, preset: CampusPreset | undefined) => {
  if (!env.QUAD_RATE_LIMITS && env.NODE_ENV === 'production' && env.QUAD_DATABASE_URL) {
    throw new Error(
      'Wrong configuration: QUAD_RATE_LIMITS can be off only with the embedded database or outside production',
    );
  }
  if (!env.QUAD_RATE_LIMITS && isPublicServer(env))
    throw new Error('Wrong configuration: QUAD_RATE_LIMITS cannot be off with an https QUAD_PUBLIC_URL');
  for (const name of ['QUAD_DATABASE_DIRECT_URL', 'QUAD_DATABASE_READ_URL'] as const)
    if (env[name] && !env.QUAD_DATABASE_URL)
      throw new Error(`Wrong configuration: ${name} needs QUAD_DATABASE_URL too`);
  if (env.QUAD_POSTGRES_BIN && env.QUAD_DATABASE_URL)
    throw new Error(
      'Wrong configuration: QUAD_POSTGRES_BIN is for the embedded database, and QUAD_DATABASE_URL for another one',
    );
  return {
    port: env.PORT,
    host: env.HOST,
    /** A listening socket that this process inherited, used instead of port and host. */
    listenFd: getListenFd(env),
    publicUrl: env.QUAD_PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    workers: env.QUAD_WORKERS,
    dataDir: env.QUAD_DATA_DIR,
    databaseUrl: env.QUAD_DATABASE_URL,
    postgresBin: env.QUAD_POSTGRES_BIN,
    /**
     * Connection string that bypasses the pooler at `databaseUrl`; set if this pooler runs in transaction
     * mode.
     */
    directDatabaseUrl: env.QUAD_DATABASE_DIRECT_URL,
    /** Connection strings of the servers that may handle searches; each names one server. */
    readDatabaseUrls: env.QUAD_DATABASE_READ_URL ? readReadUrls(env.QUAD_DATABASE_READ_URL) : [],
    s3: toS3Settings(env),
    redisUrl: env.QUAD_REDIS_URL,
    logLevel: env.QUAD_LOG_LEVEL,
    logFormat: env.QUAD_LOG_FORMAT,
    metricsToken: env.QUAD_METRICS_TOKEN,
    mail: toMailSettings(env),
    mailFrom: env.QUAD_MAIL_FROM ?? {
      name: env.QUAD_SITE_NAME,
      address: `no-reply@${env.QUAD_CAMPUS_DOMAIN}`,
    },
    trustProxy: env.QUAD_TRUST_PROXY,
    demo: env.QUAD_DEMO ?? (env.QUAD_DATABASE_URL === undefined && !isPublicServer(env)),
    rateLimits: env.QUAD_RATE_LIMITS,
    offline: env.QUAD_OFFLINE,
    listingCheckDays: env.QUAD_LISTING_CHECK_DAYS,
    listingPauseDays: env.QUAD_LISTING_PAUSE_DAYS,
    campusOnly: env.QUAD_CAMPUS_ONLY,
    membershipDays: env.QUAD_MEMBERSHIP_DAYS,
    signOn: toSignOnSettings(env),
    campus: toCampus(env, preset?.brandColor),
    campusSpots: preset?.meetingSpots ?? [],
    demoTexts: preset?.demoTexts ?? {},
  };
};

/** The validated configuration of the server. */
export type Config = ReturnType<typeof toConfig>;

const settingNames = Object.keys(environmentSchema.shape);
const prefix = 'QUAD_';

/**
 * Returns the name of a setting without the prefix, which versions before 0.10 used, if the environment has a value
 * under it. `MAIL` counts only with one of our values, because log-in shells store the path of a mailbox in it (POSIX).
 */
const findFormerName = (environment: NodeJS.ProcessEnv, name: string): string | undefined => {
  if (!name.startsWith(prefix)) return undefined;
  const former = name.slice(prefix.length);
  const value = environment[former];
  return value && (former !== 'MAIL' || value === 'on' || value === 'off') ? former : undefined;
};

const readSettingFile = (name: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`Wrong configuration: cannot read the file of ${name}_FILE, ${path}: ${code}`);
  }
};

/** Returns the settings in the environment. An empty variable counts as unset, as in a compose file's `PORT=`. */
const readSettings = (environment: NodeJS.ProcessEnv): Record<string, string> => {
  const settings: Record<string, string> = {};
  for (const name of settingNames) {
    const path = name.startsWith(prefix) && environment[`${name}_FILE`];
    const value =
      environment[name] ||
      (path ? readSettingFile(name, path) : environment[findFormerName(environment, name) ?? '']);
    if (value) settings[name] = value;
  }
  return settings;
};

/**
 * Returns lines for the operator about variables in the environment that are probably a mistake: names of settings
 * without the prefix, and unknown names with it.
 */
export const listConfigurationHints = (environment: NodeJS.ProcessEnv): string[] => {
  const former = settingNames.flatMap((name) => findFormerName(environment, name) ?? []);
  const known = new Set(settingNames.flatMap((name) => [name, `${name}_FILE`]));
  const unknown = Object.keys(environment).filter((name) => name.startsWith(prefix) && !known.has(name));
  return [
    ...(former.length > 0
      ? [
          `Settings begin with ${prefix} now: please rename ${former.join(', ')}. The former names still work.`,
        ]
      : []),
    ...unknown.map((name) => `${name} is not a setting of this version.`),
  ];
};

/**
 * Throws if both names of the data folder are set and differ. A unit or an image may have set one of them, and with the
 * wrong folder a server would start with an empty database.
 */
const assertOneDataFolder = ({ DATA_DIR, QUAD_DATA_DIR }: NodeJS.ProcessEnv): void => {
  if (DATA_DIR && QUAD_DATA_DIR && resolve(DATA_DIR) !== resolve(QUAD_DATA_DIR)) {
    throw new Error(
      `Wrong configuration: DATA_DIR (${DATA_DIR}) is the former name of QUAD_DATA_DIR (${QUAD_DATA_DIR}): rename or remove it`,
    );
  }
};

/** The settings that make a campus; a public server needs all of them. */
const campusSettings = [
  'QUAD_CAMPUS_NAME',
  'QUAD_CAMPUS_SHORT_NAME',
  'QUAD_CAMPUS_DOMAIN',
  'QUAD_CAMPUS_MASCOT',
  'QUAD_CAMPUS_TIMEZONE',
];

/**
 * Reads the configuration, once at start.
 * Throws an Error whose one-line message names every wrong variable and the reason.
 */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  assertOneDataFolder(environment);
  const ownSettings = readSettings(environment);
  const preset = ownSettings.QUAD_CAMPUS ? readCampusPreset(ownSettings.QUAD_CAMPUS) : undefined;
  const settings = { ...preset?.settings, ...ownSettings };
  const parsed = environmentSchema.safeParse(settings);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new Error(`Wrong configuration: ${problems.join('; ')}`);
  }
  if (settings.QUAD_CAMPUS_DOMAINS && !settings.QUAD_CAMPUS_DOMAIN)
    throw new Error(
      'Wrong configuration: QUAD_CAMPUS_DOMAINS needs QUAD_CAMPUS_DOMAIN, the first domain, too',
    );
  const missing = campusSettings.filter((name) => !settings[name]);
  if (isPublicServer(parsed.data) && missing.length > 0) {
    throw new Error(
      `Wrong configuration: with an https QUAD_PUBLIC_URL set ${missing.join(', ')} to those of your campus`,
    );
  }
  return toConfig(parsed.data, preset);
};
