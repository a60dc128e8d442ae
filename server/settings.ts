import { isIP } from 'node:net';
import { z } from 'zod';
import { defaultCampus } from '#contract/campus.ts';

const text = z.string().trim().min(1, 'must not be empty');
const timezone = text.refine((zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}, 'must be an IANA time zone such as America/Los_Angeles');
const locale = text.refine((tag) => {
  try {
    return Boolean(new Intl.Locale(tag));
  } catch {
    return false;
  }
}, 'must be a locale such as en-US');
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
const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(min, `must be between ${min} and ${max}`)
    .max(max, `must be between ${min} and ${max}`);
const flag = z.enum(['on', 'off']);
const isOn = (value: z.output<typeof flag>): boolean => value === 'on';

/**
 * Every setting: its environment variable, values, default and meaning. The type `Config` follows from it, and the
 * table in `docs/operations.md` is generated from it.
 */
export const environmentSchema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port to listen on.'),
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
  WORKERS: wholeNumber(1, 64)
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
    .transform(isOn)
    .describe(
      'Whether mail is sent; with `off` none is sent, printed or stored, and requests that need a code or a link are refused with a message that says so.',
    ),
  MAIL_FROM: text.optional().describe('Sender of mail. Default: `SITE_NAME <no-reply@CAMPUS_DOMAIN>`.'),
  SUPPORT_EMAIL: address.optional().describe('Receives the forms. Default: `support@CAMPUS_DOMAIN`.'),
  TRUST_PROXY: networks
    .optional()
    .transform((list) => list ?? [])
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
    .transform(isOn)
    .optional()
    .describe(
      'Whether an empty database is filled with the demo campus. Default: `off` with `DATABASE_URL` or an https `PUBLIC_URL`, else `on`.',
    ),
  RATE_LIMITS: flag
    .default('on')
    .transform(isOn)
    .describe('Whether limits are enforced; `off` is for tests and development only.'),
  OFFLINE: flag
    .default('on')
    .transform(isOn)
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
  CAMPUS_LOCALE: locale
    .default(defaultCampus.locale)
    .describe(
      'Locale that determines on which day a week begins, such as `en-US` (Sunday) or `en-GB` (Monday).',
    ),
  CAMPUS_ONLY: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .describe('Whether only addresses of the campus domain may sign up.'),
});

export type Environment = z.output<typeof environmentSchema>;
