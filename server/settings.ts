import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { addressAliases, defaultCampus } from '#contract/campus.ts';
import { isDatabaseUrl } from '#server/platform/postgres/database-url.ts';
import { hasPhoneNumbers } from './phone-numbers.ts';

const textSchema = z.string().trim().min(1, 'must not be empty');
const timezoneSchema = textSchema.refine((zone) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}, 'must be an IANA time zone such as America/Los_Angeles');
const localeSchema = textSchema.refine((tag) => {
  try {
    return Boolean(new Intl.Locale(tag));
  } catch {
    return false;
  }
}, 'must be a locale such as en-US');
const currencySchema = textSchema
  .toUpperCase()
  .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'must be a currency such as USD');
const countrySchema = textSchema.toUpperCase().refine(hasPhoneNumbers, 'must be a country such as US');
const urlSchema = (protocols: string[]) =>
  textSchema.refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    abort: true,
  });
/** A cap on the price of tickets, as a percentage of the face value; undefined when it is off. */
const ticketPriceCapSchema = textSchema
  .regex(/^(off|face|[1-9]\d{0,2}%)$/, 'must be off, face or a percentage such as 110%')
  .default('off')
  .transform((cap) => (cap === 'off' ? undefined : cap === 'face' ? 100 : Number.parseInt(cap, 10)));
/** Whether a URL consists of protocol, host and port only, apart from a final slash. */
const isOrigin = (value: string): boolean =>
  URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/`;
const domainSchema = textSchema
  .toLowerCase()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain such as usc.edu');
const splitList = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
const domainsSchema = textSchema
  .toLowerCase()
  .transform(splitList)
  .refine(
    (list) => list.every((domain) => /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)),
    'must be domains such as alumni.usc.edu or *.usc.edu, separated by commas',
  );
const isNetwork = (entry: string): boolean => {
  const [base = '', bits] = entry.split('/');
  const version = isIP(base);
  return (
    version !== 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
};
const networksSchema = textSchema
  .transform(splitList)
  .refine(
    (list) => list.every(isNetwork),
    'must be addresses or networks such as 10.0.0.0/8, separated by commas',
  );
const emailSchema = z.email('must be an e-mail address');
/** An address for mail, also of a host without a domain, such as quad@localhost. */
const senderAddressPattern = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"]+$/;
/** Returns the text of a quoted string (RFC 5322, section 3.2.4); other text is returned unchanged. */
const unquote = (text: string): string =>
  /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1').trim() ?? text;
/** A sender as `address` or `name <address>`; the name may be a quoted string, and may be empty. */
const senderSchema = textSchema
  .transform((value) => {
    const [, name = '', address = value] = /^([^<>]*)<([^<>]*)>$/.exec(value) ?? [];
    return { name: unquote(name.trim()), address };
  })
  .refine(
    ({ address }) => senderAddressPattern.test(address),
    'must be one e-mail address, with or without a name, such as Quad <no-reply@usc.edu>',
  );
const wholeNumberSchema = (min: number, max: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(min, `must be between ${min} and ${max}`)
    .max(max, `must be between ${min} and ${max}`);
const issuerSchema = urlSchema(['http:', 'https:'])
  .refine((value) => {
    const { protocol, hostname, search, hash } = new URL(value);
    const isOnThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    return (protocol === 'https:' || isOnThisMachine) && !search && !hash;
  }, 'must be an https address without query and fragment')
  .refine((value) => !value.includes('/.well-known/'), 'must be the issuer, which ends before /.well-known/');
/** Accepts every PEM format of private keys, and returns PKCS #8. */
const privateKeySchema = textSchema.transform((pem, context) => {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa' || key.asymmetricKeyDetails?.namedCurve === 'prime256v1')
      return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {}
  context.addIssue('must be a private key (PEM) for RSA or P-256');
  return z.NEVER;
});
const trueFalseSchema = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');
const onOffSchema = z.enum(['on', 'off']);
const isSettingOn = (value: z.output<typeof onOffSchema>): boolean => value === 'on';

/**
 * Every setting: its environment variable, values, default and meaning. The type `Config` follows from it, and the
 * table in `docs/operations.md` is generated from it.
 */
export const environmentSchema = z.object({
  PORT: wholeNumberSchema(0, 65_535).default(3000).describe('Port to listen on.'),
  HOST: textSchema.default('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all interfaces.'),
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
  QUAD_PUBLIC_URL: urlSchema(['http:', 'https:'])
    .refine(isOrigin, 'must end after the host and port, and contain no user name or password')
    .transform((value) => new URL(value).origin)
    .optional()
    .describe(
      'URL that visitors use, without a path, for links in mail, site map and previews. Default: `http://localhost:PORT`. With `https:` the server counts as public: no demo campus by default, and no start without the settings of the campus and `QUAD_SMTP_URL` or `QUAD_MAIL=off`.',
    ),
  QUAD_WORKERS: wholeNumberSchema(1, 64)
    .default(1)
    .describe(
      'Number of serving processes, on one port; set it to the number of cores to use the whole machine.',
    ),
  QUAD_DATA_DIR: textSchema
    .default('.data')
    .describe('Folder for all data: embedded database, files, secrets.'),
  QUAD_DATABASE_URL: textSchema
    .refine(isDatabaseUrl, 'must be an address beginning with postgres:// or postgresql://')
    .optional()
    .describe(
      'A PostgreSQL of version 15 or newer; several servers as `postgres://user:password@a,b/quad?target_session_attrs=read-write`. Unset: an embedded one inside `QUAD_DATA_DIR`.',
    ),
  QUAD_POSTGRES_BIN: textSchema
    .optional()
    .describe(
      'Folder with the programs `postgres` and `initdb` of PostgreSQL 18 that the embedded server runs, such as `/usr/lib/postgresql/18/bin`. Unset: those of an npm package.',
    ),
  QUAD_DATABASE_DIRECT_URL: textSchema
    .refine(isDatabaseUrl, 'must be an address beginning with postgres:// or postgresql://')
    .optional()
    .describe(
      'The same database without a connection pooler, for LISTEN, jobs, locks and migrations; needed when `QUAD_DATABASE_URL` leads to a pooler in transaction mode.',
    ),
  QUAD_DATABASE_READ_URL: textSchema
    .refine(isDatabaseUrl, 'must be an address beginning with postgres:// or postgresql://')
    .optional()
    .describe(
      'Standbys of the database for searches, as `postgres://user:password@b,c/quad`; used while they are less than 5 seconds behind. Unset: the primary serves everything.',
    ),
  QUAD_S3_ENDPOINT: urlSchema(['http:', 'https:'])
    .optional()
    .describe(
      'An S3-compatible store for files, addressed by path; all five `S3_` variables or none. Unset: files are stored in `QUAD_DATA_DIR`.',
    ),
  QUAD_S3_REGION: textSchema.optional().describe('Its region, such as `us-east-1`.'),
  QUAD_S3_BUCKET: textSchema
    .optional()
    .describe('A bucket used only by this server: unreferenced files in it are deleted.'),
  QUAD_S3_ACCESS_KEY_ID: textSchema
    .optional()
    .describe('Key that may list the bucket and read, write and delete in it.'),
  QUAD_S3_SECRET_ACCESS_KEY: textSchema.optional().describe('Its secret.'),
  QUAD_REDIS_URL: urlSchema(['redis:', 'rediss:'])
    .optional()
    .describe(
      'A Redis of version 6 or newer for messages between processes; `rediss:` for TLS. Unset: PostgreSQL is used.',
    ),
  QUAD_SMTP_URL: urlSchema(['smtp:', 'smtps:'])
    .optional()
    .describe(
      'Mail server. Unset: mail is printed and stored in the development mailbox at `/dev/mail`; with an https `QUAD_PUBLIC_URL` the server does not start.',
    ),
  QUAD_MAIL: onOffSchema
    .default('on')
    .transform(isSettingOn)
    .describe(
      'Whether mail is sent; with `off` none is sent, printed or stored, and requests that need a code or a link are refused with a message that says so.',
    ),
  QUAD_MAIL_FROM: senderSchema
    .optional()
    .describe(
      'Sender of mail, an address with or without a name. Default: `QUAD_SITE_NAME <no-reply@QUAD_CAMPUS_DOMAIN>`.',
    ),
  QUAD_SUPPORT_EMAIL: emailSchema
    .optional()
    .describe('Receives the forms. Default: `support@QUAD_CAMPUS_DOMAIN`.'),
  QUAD_TRUST_PROXY: networksSchema
    .optional()
    .transform((list) => list ?? [])
    .describe(
      'Addresses or networks of the reverse proxies, separated by commas; only their forwarded headers are trusted. Unset: none are.',
    ),
  QUAD_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('The least important lines that are logged.'),
  QUAD_LOG_FORMAT: z
    .enum(['json', 'text'])
    .optional()
    .describe('How the log looks. Default: `text` on a terminal, else `json`.'),
  QUAD_METRICS_TOKEN: textSchema
    .regex(/^[\w.-]{16,200}$/, 'must be 16 to 200 letters, digits, dots, underscores or hyphens')
    .optional()
    .describe(
      'Bearer token required by `/metrics`. Unset: only direct requests from this machine are served, and with an https `QUAD_PUBLIC_URL` none.',
    ),
  QUAD_DEMO: onOffSchema
    .transform(isSettingOn)
    .optional()
    .describe(
      'Whether an empty database is filled with the demo campus. Default: `off` with `QUAD_DATABASE_URL` or an https `QUAD_PUBLIC_URL`, else `on`.',
    ),
  QUAD_RATE_LIMITS: onOffSchema
    .default('on')
    .transform(isSettingOn)
    .describe(
      'Whether limits are enforced; `off` is for tests and development only, and with an https `QUAD_PUBLIC_URL` the server does not start.',
    ),
  QUAD_OFFLINE: onOffSchema
    .default('on')
    .transform(isSettingOn)
    .describe('Whether browsers cache pages for reading offline; `off` makes them delete these caches.'),
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('production')
    .describe('The usual meaning.'),
  QUAD_LISTING_CHECK_DAYS: wholeNumberSchema(0, 365)
    .default(30)
    .describe(
      'After how many days without any sign of its seller a listing’s seller is asked whether it is still available; `0` asks nobody.',
    ),
  QUAD_LISTING_PAUSE_DAYS: wholeNumberSchema(1, 365)
    .default(7)
    .describe('After how many days without an answer the listing is paused.'),
  QUAD_TICKET_PRICE_CAP: ticketPriceCapSchema.describe(
    'The highest price of tickets: `off`, `face` (the face value) or a percentage of it, such as `110%`.',
  ),
  QUAD_SITE_NAME: textSchema.default(defaultCampus.siteName).describe('Name of the site.'),
  QUAD_CAMPUS: textSchema
    .optional()
    .describe(
      'A file that describes a campus, such as `demo/campuses/germany.json`; the settings below win over it.',
    ),
  QUAD_CAMPUS_NAME: textSchema.default(defaultCampus.name).describe('Name of the university.'),
  QUAD_CAMPUS_SHORT_NAME: textSchema.default(defaultCampus.shortName).describe('Its short name.'),
  QUAD_CAMPUS_DOMAIN: domainSchema.default(defaultCampus.domain).describe('Its e-mail domain.'),
  QUAD_CAMPUS_DOMAINS: domainsSchema
    .optional()
    .transform((list) => list ?? [])
    .describe(
      'Its further e-mail domains, separated by commas; `*.usc.edu` stands for all subdomains of `usc.edu`.',
    ),
  QUAD_CAMPUS_ADDRESS_ALIASES: z
    .enum(addressAliases)
    .default(defaultCampus.addressAliases)
    .describe(
      'Which addresses at these domains lead to one mailbox, which counts as one person: `plus` (a tag after a plus sign is ignored), `plus-and-dots` (dots in the name, too) or `none`.',
    ),
  QUAD_CAMPUS_MASCOT: textSchema.default(defaultCampus.mascot).describe('Its mascot, singular.'),
  QUAD_CAMPUS_TIMEZONE: timezoneSchema
    .default(defaultCampus.timezone)
    .describe('Time zone that determines the current day.'),
  QUAD_CAMPUS_LOCALE: localeSchema
    .default(defaultCampus.locale)
    .describe(
      'Locale that determines how prices, numbers and dates are written, and on which day a week begins, such as `en-US` or `de-DE`.',
    ),
  QUAD_CAMPUS_CURRENCY: currencySchema
    .default(defaultCampus.currency)
    .describe('Currency of all prices (ISO 4217), such as `EUR`; it cannot change once there are listings.'),
  QUAD_CAMPUS_COUNTRY: countrySchema
    .default(defaultCampus.country)
    .describe(
      'Country (ISO 3166), such as `DE`: phone numbers of it are written without its calling code, and shoe sizes are those that are usual there, or European where the product has no others.',
    ),
  QUAD_CAMPUS_ONLY: trueFalseSchema.describe('Whether only addresses of the campus’s domains may sign up.'),
  QUAD_MEMBERSHIP_DAYS: wholeNumberSchema(0, 3650)
    .refine((days) => days === 0 || days >= 60, 'must be 0 or at least 60')
    .default(365)
    .describe(
      'After how many days people confirm again that they are members of the campus, before their badge goes; `0` asks nobody.',
    ),
  QUAD_OIDC_ISSUER: issuerSchema
    .optional()
    .describe('Issuer of the university’s sign-on (OpenID Connect). Unset: no sign-on.'),
  QUAD_OIDC_CLIENT_ID: textSchema.optional().describe('The id under which this server is registered there.'),
  QUAD_OIDC_CLIENT_SECRET: textSchema.optional().describe('Its secret; or a private key instead.'),
  QUAD_OIDC_PRIVATE_KEY: privateKeySchema
    .optional()
    .describe('A private key (PEM) instead of a secret, for `private_key_jwt`.'),
  QUAD_OIDC_NAME: textSchema
    .max(40, 'must have at most 40 characters')
    .optional()
    .describe('What people call the sign-on, such as `USC NetID`.'),
  QUAD_OIDC_SCOPES: textSchema
    .refine((scopes) => scopes.split(' ').includes('openid'), 'must contain openid')
    .default('openid email profile')
    .describe('Scopes to request.'),
  QUAD_OIDC_AFFILIATION_CLAIM: textSchema
    .default('eduperson_scoped_affiliation')
    .describe('The claim that states the role, such as `student@usc.edu`, as a text or a list.'),
  QUAD_OIDC_ONLY: trueFalseSchema.describe(
    'Whether people with campus addresses can log in only by the sign-on, without passwords, codes and reset links.',
  ),
  QUAD_OIDC_MFA_ACR: textSchema
    .transform(splitList)
    .optional()
    .transform((list) => list ?? [])
    .describe('Values of `acr` or `amr` that prove a second factor, separated by commas.'),
});

export type Environment = z.output<typeof environmentSchema>;
