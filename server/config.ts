import { isIP } from 'node:net';
import { z } from 'zod';
import { type Campus, defaultCampus } from '#contract/campus.ts';
import type { S3Settings } from '#server/platform/files/files-s3.ts';

const flag = z.enum(['on', 'off']);
const text = z.string().trim().min(1, 'must not be empty');
const timezone = text.refine((zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}, 'must be an IANA time zone such as America/Los_Angeles');
const url = (protocols: string[]) =>
  text.refine(
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
    `must be an address beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );
const domain = text.toLowerCase().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain such as usc.edu');
const network = (entry: string): boolean => {
  const [base = '', bits] = entry.split('/');
  const version = isIP(base);
  return (
    version !== 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
};
const networks = text
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  .refine(
    (list) => list.every(network),
    'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  );
const address = z.email('must be an e-mail address');

/** Every environment variable with its meaning; the table in `docs/operations.md` is generated from this. */
export const environmentSchema = z.object({
  PORT: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0, 'must be between 0 and 65535')
    .max(65535, 'must be between 0 and 65535')
    .default(3000)
    .describe('Port to listen on.'),
  HOST: text.default('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all interfaces.'),
  LISTEN_FDS: z.coerce
    .number('must be a number')
    .optional()
    .describe(
      'Set by systemd together with `LISTEN_PID` for a socket unit: that socket is used instead of `HOST` and `PORT`.',
    ),
  LISTEN_PID: z.coerce
    .number('must be a number')
    .optional()
    .describe('The process that `LISTEN_FDS` is meant for.'),
  PUBLIC_URL: url(['http:', 'https:'])
    .transform((value) => new URL(value).href.replace(/\/+$/, ''))
    .optional()
    .describe(
      'URL that visitors use, for links in mail, site map and previews. Default: `http://localhost:PORT`. With `https:` the server counts as public: no demo campus by default, and no start without `SMTP_URL` or `MAIL=off`.',
    ),
  WORKERS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be between 1 and 64')
    .max(64, 'must be between 1 and 64')
    .default(1)
    .describe(
      'Number of serving processes, on one port; set it to the number of cores to use the whole machine.',
    ),
  DATA_DIR: text.default('.data').describe('Folder for all data: embedded database, files, secrets.'),
  DATABASE_URL: url(['postgres:', 'postgresql:'])
    .optional()
    .describe('A PostgreSQL of version 15 or newer. Unset: an embedded one inside `DATA_DIR`.'),
  S3_ENDPOINT: url(['http:', 'https:'])
    .optional()
    .describe(
      'An S3-compatible store for files, addressed by path; all five `S3_` variables or none. Unset: files are stored in `DATA_DIR`.',
    ),
  S3_REGION: text.optional().describe('Its region, such as `us-east-1`.'),
  S3_BUCKET: text
    .optional()
    .describe('A bucket used only by this server: unreferenced files in it are deleted.'),
  S3_ACCESS_KEY_ID: text
    .optional()
    .describe('Key that may list the bucket and read, write and delete in it.'),
  S3_SECRET_ACCESS_KEY: text.optional().describe('Its secret.'),
  REDIS_URL: url(['redis:', 'rediss:'])
    .optional()
    .describe(
      'A Redis of version 6 or newer for messages between processes; `rediss:` for TLS. Unset: PostgreSQL is used.',
    ),
  SMTP_URL: url(['smtp:', 'smtps:'])
    .optional()
    .describe(
      'Mail server. Unset: mail is printed and stored in the development mailbox at `/dev/mail`; with an https `PUBLIC_URL` the server does not start.',
    ),
  MAIL: flag
    .default('on')
    .describe(
      'Whether mail is sent; with `off` none is sent, printed or stored, and requests that need a code or a link are refused with a message that says so.',
    ),
  MAIL_FROM: text.optional().describe('Sender of mail. Default: `SITE_NAME <no-reply@CAMPUS_DOMAIN>`.'),
  SUPPORT_EMAIL: address.optional().describe('Receives the forms. Default: `support@CAMPUS_DOMAIN`.'),
  TRUST_PROXY: networks
    .optional()
    .describe(
      'Addresses or networks of the reverse proxies, separated by commas; only their forwarded headers are trusted. Unset: none are.',
    ),
  METRICS_TOKEN: text
    .regex(/^[\w.-]{16,200}$/, 'must be 16 to 200 letters, digits, dots, underscores or hyphens')
    .optional()
    .describe(
      'Bearer token required by `/metrics`. Unset: only direct requests from this machine are served.',
    ),
  DEMO: flag
    .optional()
    .describe(
      'Whether an empty database is filled with the demo campus. Default: `off` with `DATABASE_URL` or an https `PUBLIC_URL`, else `on`.',
    ),
  RATE_LIMITS: flag
    .default('on')
    .describe('Whether limits are enforced; `off` is for tests and development only.'),
  OFFLINE: flag
    .default('on')
    .describe('Whether browsers cache pages for reading offline; `off` makes them delete these caches.'),
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('production')
    .describe('The usual meaning.'),
  SITE_NAME: text.default(defaultCampus.siteName).describe('Name of the site.'),
  CAMPUS_NAME: text.default(defaultCampus.name).describe('Name of the university.'),
  CAMPUS_SHORT_NAME: text.default(defaultCampus.shortName).describe('Its short name.'),
  CAMPUS_DOMAIN: domain.default(defaultCampus.domain).describe('Its e-mail domain.'),
  CAMPUS_MASCOT: text.default(defaultCampus.mascot).describe('Its mascot, singular.'),
  CAMPUS_TIMEZONE: timezone
    .default(defaultCampus.timezone)
    .describe('Time zone that determines the current day.'),
  CAMPUS_ONLY: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Whether only addresses of the campus domain may sign up.'),
});

/**
 * Where mail goes: to a mail server, to the development mailbox, which prints and stores it, or nowhere, so that
 * requests that need a code or a link are refused.
 */
export type MailSettings = { by: 'smtp'; url: string } | { by: 'mailbox' } | { by: 'nothing' };

export interface Config {
  port: number;
  host: string;
  /** A listening socket that this process inherited, used instead of port and host. */
  listenFd: number | undefined;
  publicUrl: string;
  /** Number of serving processes. */
  workers: number;
  dataDir: string;
  /** Undefined for the embedded database. */
  databaseUrl: string | undefined;
  /** Undefined for files on disk. */
  s3: S3Settings | undefined;
  /** Undefined for messages between processes through the database. */
  redisUrl: string | undefined;
  /** Undefined for metrics on this machine only. */
  metricsToken: string | undefined;
  mail: MailSettings;
  mailFrom: string;
  trustProxy: string[];
  demo: boolean;
  rateLimits: boolean;
  /** Whether browsers get the service worker. */
  offline: boolean;
  campusOnly: boolean;
  campus: Campus;
}

const s3Of = (env: z.infer<typeof environmentSchema>): S3Settings | undefined => {
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

/** An https URL means that the public can reach this server, possibly through a proxy on this machine. */
const isPublic = ({ PUBLIC_URL }: Pick<z.infer<typeof environmentSchema>, 'PUBLIC_URL'>): boolean =>
  PUBLIC_URL?.startsWith('https:') ?? false;

const mailOf = (env: z.infer<typeof environmentSchema>): MailSettings => {
  if (env.MAIL === 'off') return { by: 'nothing' };
  if (env.SMTP_URL !== undefined) return { by: 'smtp', url: env.SMTP_URL };
  if (isPublic(env)) {
    throw new Error(
      'Wrong configuration: with an https PUBLIC_URL set SMTP_URL to a mail server, or MAIL=off to go without mail',
    );
  }
  return { by: 'mailbox' };
};

/** Returns the descriptor of the socket that systemd passed to this process (sd_listen_fds(3)). */
const listenFdOf = ({ LISTEN_FDS, LISTEN_PID }: z.infer<typeof environmentSchema>): number | undefined => {
  // Child processes inherit the variables but not the socket.
  if (LISTEN_FDS === undefined || LISTEN_PID !== process.pid) return undefined;
  if (LISTEN_FDS !== 1) throw new Error('Wrong configuration: LISTEN_FDS must be 1, one socket for all');
  return 3;
};

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
  const env = parsed.data;
  if (env.RATE_LIMITS === 'off' && env.NODE_ENV === 'production' && env.DATABASE_URL) {
    throw new Error(
      'Wrong configuration: RATE_LIMITS can be off only with the embedded database or outside production',
    );
  }
  return {
    port: env.PORT,
    host: env.HOST,
    listenFd: listenFdOf(env),
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    workers: env.WORKERS,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    s3: s3Of(env),
    redisUrl: env.REDIS_URL,
    metricsToken: env.METRICS_TOKEN,
    mail: mailOf(env),
    mailFrom: env.MAIL_FROM ?? `${env.SITE_NAME} <no-reply@${env.CAMPUS_DOMAIN}>`,
    trustProxy: env.TRUST_PROXY ?? [],
    demo: env.DEMO === undefined ? env.DATABASE_URL === undefined && !isPublic(env) : env.DEMO === 'on',
    rateLimits: env.RATE_LIMITS === 'on',
    offline: env.OFFLINE === 'on',
    campusOnly: env.CAMPUS_ONLY === 'true',
    campus: {
      name: env.CAMPUS_NAME,
      shortName: env.CAMPUS_SHORT_NAME,
      domain: env.CAMPUS_DOMAIN,
      mascot: env.CAMPUS_MASCOT,
      timezone: env.CAMPUS_TIMEZONE,
      siteName: env.SITE_NAME,
      supportEmail: env.SUPPORT_EMAIL ?? `support@${env.CAMPUS_DOMAIN}`,
    },
  };
};
