import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { campusSettings } from '#server/testing/campus-settings.ts';
import { listConfigurationHints, readConfig } from './config.ts';

test('defaults to the campus of the specification on port 3000', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    demo: true,
    rateLimits: true,
    mailFrom: { name: 'Quad', address: 'no-reply@usc.edu' },
    campus: { name: 'University of Southern California', domain: 'usc.edu', mascot: 'Trojan' },
  });
});

test('a different campus domain changes all derived email addresses', () => {
  const config = readConfig({ QUAD_CAMPUS_DOMAIN: 'Example.EDU', QUAD_SITE_NAME: 'Yard', PORT: '8080' });
  expect(config.campus).toMatchObject({ domain: 'example.edu', supportEmail: 'support@example.edu' });
  expect(config).toMatchObject({
    mailFrom: { name: 'Yard', address: 'no-reply@example.edu' },
    publicUrl: 'http://localhost:8080',
  });
});

test.each([
  ['rsa', { modulusLength: 2048 }, 'pkcs1'],
  ['ec', { namedCurve: 'P-256' }, 'sec1'],
] as const)('the key of the sign-on may be in the format of %s keys', (kind, options, type) => {
  const { privateKey } = generateKeyPairSync(kind as 'rsa', options as { modulusLength: number });
  const { signOn } = readConfig({
    QUAD_OIDC_ISSUER: 'https://login.usc.edu',
    QUAD_OIDC_CLIENT_ID: 'quad',
    QUAD_OIDC_NAME: 'USC NetID',
    QUAD_OIDC_PRIVATE_KEY: privateKey.export({ type: type as 'pkcs1', format: 'pem' }).toString(),
  });
  const used = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(signOn?.credential).toEqual({ privateKey: used });
});

test.each([
  ['quad@usc.edu', '', 'quad@usc.edu'],
  ['quad@localhost', '', 'quad@localhost'],
  ['Quad <quad@mail>', 'Quad', 'quad@mail'],
  ['Quad: USC <quad@usc.edu>', 'Quad: USC', 'quad@usc.edu'],
  ['Quad "USC" <quad@usc.edu>', 'Quad "USC"', 'quad@usc.edu'],
  ['"Quad" of "USC" <quad@usc.edu>', '"Quad" of "USC"', 'quad@usc.edu'],
  ['"Quad, the market (USC)" <quad@usc.edu>', 'Quad, the market (USC)', 'quad@usc.edu'],
  ['"Quad \\"USC\\"" <quad@usc.edu>', 'Quad "USC"', 'quad@usc.edu'],
])('QUAD_MAIL_FROM may be %s', (QUAD_MAIL_FROM, name, address) => {
  expect(readConfig({ QUAD_MAIL_FROM }).mailFrom).toEqual({ name, address });
});

test('QUAD_PUBLIC_URL is an origin, whose final slash is removed', () => {
  expect(readConfig({ QUAD_PUBLIC_URL: 'HTTP://Quad.example.edu:8080/' }).publicUrl).toBe(
    'http://quad.example.edu:8080',
  );
});

test('with QUAD_DATABASE_URL the demo campus is off by default', () => {
  const QUAD_DATABASE_URL = 'postgres://quad@localhost/quad';
  expect(readConfig({ QUAD_DATABASE_URL }).demo).toBe(false);
  expect(readConfig({ QUAD_DATABASE_URL, QUAD_DEMO: 'on' }).demo).toBe(true);
});

test('QUAD_DATABASE_DIRECT_URL requires QUAD_DATABASE_URL, the URL of the pooler', () => {
  const QUAD_DATABASE_DIRECT_URL = 'postgres://quad@localhost:5432/quad';
  expect(
    readConfig({ QUAD_DATABASE_URL: 'postgres://quad@localhost:6432/quad', QUAD_DATABASE_DIRECT_URL })
      .directDatabaseUrl,
  ).toBe(QUAD_DATABASE_DIRECT_URL);
  expect(() => readConfig({ QUAD_DATABASE_DIRECT_URL })).toThrow(
    'Wrong configuration: QUAD_DATABASE_DIRECT_URL needs QUAD_DATABASE_URL too',
  );
});

test('QUAD_CAMPUS_ADDRESS_ALIASES names what the mail system ignores; by default a tag after a plus sign', () => {
  expect(readConfig({}).campus.addressAliases).toBe('plus');
  expect(readConfig({ QUAD_CAMPUS_ADDRESS_ALIASES: 'none' }).campus.addressAliases).toBe('none');
  expect(() => readConfig({ QUAD_CAMPUS_ADDRESS_ALIASES: 'dots' })).toThrow('QUAD_CAMPUS_ADDRESS_ALIASES');
});

test('QUAD_DATABASE_READ_URL is split into one URL per server, and errors name the variable', () => {
  const QUAD_DATABASE_URL = 'postgres://quad@a/quad';
  expect(readConfig({ QUAD_DATABASE_URL }).readDatabaseUrls).toEqual([]);
  expect(
    readConfig({ QUAD_DATABASE_URL, QUAD_DATABASE_READ_URL: 'postgres://quad@b,c/quad' }).readDatabaseUrls,
  ).toEqual(['postgres://quad@b:5432/quad', 'postgres://quad@c:5432/quad']);
  expect(() => readConfig({ QUAD_DATABASE_READ_URL: 'postgres://quad@b/quad' })).toThrow(
    'Wrong configuration: QUAD_DATABASE_READ_URL needs QUAD_DATABASE_URL too',
  );
  expect(() =>
    readConfig({ QUAD_DATABASE_URL, QUAD_DATABASE_READ_URL: 'postgres://quad@b/quad?sslmode=prefer' }),
  ).toThrow('Wrong configuration: sslmode of QUAD_DATABASE_READ_URL must be one of');
});

describe('promise 50: with an https QUAD_PUBLIC_URL', () => {
  const readPublicConfig = (settings: Record<string, string>) =>
    readConfig({ ...campusSettings, ...settings });
  const QUAD_PUBLIC_URL = 'https://quad.example.edu';
  const QUAD_SMTP_URL = 'smtps://mail.example.edu';

  test('the demo campus is off unless QUAD_DEMO=on', () => {
    expect(readPublicConfig({ QUAD_PUBLIC_URL, QUAD_SMTP_URL }).demo).toBe(false);
    expect(readPublicConfig({ QUAD_PUBLIC_URL, QUAD_SMTP_URL, QUAD_DEMO: 'on' }).demo).toBe(true);
    expect(readPublicConfig({ QUAD_PUBLIC_URL: 'http://quad.example.edu' }).demo).toBe(true);
  });

  test('the settings of the campus are required, so that nobody is USC by accident', () => {
    for (const name of Object.keys(campusSettings))
      expect(() => readPublicConfig({ QUAD_PUBLIC_URL, QUAD_SMTP_URL, [name]: '' })).toThrow(
        `Wrong configuration: with an https QUAD_PUBLIC_URL set ${name} to those of your campus`,
      );
    expect(() => readConfig({ QUAD_PUBLIC_URL, QUAD_SMTP_URL })).toThrow(
      Object.keys(campusSettings).join(', '),
    );
  });

  test.each([QUAD_PUBLIC_URL, 'HTTPS://quad.example.edu'])('%s needs rate limits', (address) => {
    for (const NODE_ENV of ['production', 'development', 'test'])
      expect(() =>
        readPublicConfig({ QUAD_PUBLIC_URL: address, QUAD_SMTP_URL, NODE_ENV, QUAD_RATE_LIMITS: 'off' }),
      ).toThrow('Wrong configuration: QUAD_RATE_LIMITS cannot be off with an https QUAD_PUBLIC_URL');
  });

  test.each([QUAD_PUBLIC_URL, 'HTTPS://quad.example.edu'])(
    '%s needs a mail server or QUAD_MAIL=off',
    (address) => {
      for (const NODE_ENV of ['production', 'development', 'test']) {
        const refused = () => readPublicConfig({ QUAD_PUBLIC_URL: address, NODE_ENV });
        expect(refused).toThrow(/^Wrong configuration: .*QUAD_SMTP_URL.*QUAD_MAIL=off.*$/);
      }
      expect(readPublicConfig({ QUAD_PUBLIC_URL: address, QUAD_SMTP_URL }).mail).toEqual({
        by: 'smtp',
        url: QUAD_SMTP_URL,
      });
      expect(readPublicConfig({ QUAD_PUBLIC_URL: address, QUAD_MAIL: 'off' }).mail).toEqual({
        by: 'nothing',
      });
    },
  );
});

test('without an https QUAD_PUBLIC_URL, mail goes to the development mailbox unless a mail server is set', () => {
  const QUAD_SMTP_URL = 'smtp://mail.example.edu';
  for (const address of [{}, { QUAD_PUBLIC_URL: 'http://quad.example.edu' }]) {
    expect(readConfig(address).mail).toEqual({ by: 'mailbox' });
    expect(readConfig({ ...address, QUAD_SMTP_URL }).mail).toEqual({ by: 'smtp', url: QUAD_SMTP_URL });
    expect(readConfig({ ...address, QUAD_SMTP_URL, QUAD_MAIL: 'off' }).mail).toEqual({ by: 'nothing' });
  }
});

/** What `su -` sets, on a machine with a mail spool. */
const logInEnvironment = { MAIL: '/var/mail/quad', LOGNAME: 'quad', SHELL: '/bin/bash', HOME: '/home/quad' };

test('the environment of a log-in shell changes no setting and gives no hint', () => {
  expect(readConfig(logInEnvironment)).toEqual(readConfig({}));
  expect(listConfigurationHints(logInEnvironment)).toEqual([]);
});

test('names without the prefix QUAD_ still work, with a hint; a name with the prefix wins', () => {
  const former = { MAIL: 'off', SITE_NAME: 'Yard', HOST: '127.0.0.1' };
  expect(readConfig(former)).toMatchObject({ mail: { by: 'nothing' }, campus: { siteName: 'Yard' } });
  expect(readConfig({ ...former, QUAD_SITE_NAME: 'Plaza' }).campus.siteName).toBe('Plaza');
  expect(listConfigurationHints(former)).toEqual([
    'Settings begin with QUAD_ now: please rename MAIL, SITE_NAME. The former names still work.',
  ]);
});

test('two data folders, one of them under the former name, are refused', () => {
  const QUAD_DATA_DIR = '/var/lib/quad';
  expect(() => readConfig({ DATA_DIR: '/srv/quad', QUAD_DATA_DIR })).toThrow(
    'Wrong configuration: DATA_DIR (/srv/quad) is the former name of QUAD_DATA_DIR (/var/lib/quad): rename or remove it',
  );
  expect(readConfig({ DATA_DIR: '/var/lib/quad/', QUAD_DATA_DIR }).dataDir).toBe(QUAD_DATA_DIR);
});

test('an unknown name with the prefix is named', () => {
  expect(listConfigurationHints({ QUAD_SMPT_URL: 'smtp://mail', QUAD_SMTP_URL: 'smtp://mail' })).toEqual([
    'QUAD_SMPT_URL is not a setting of this version.',
  ]);
});

test('a setting may be stored in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quad-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const QUAD_METRICS_TOKEN_FILE = join(folder, 'token');
  writeFileSync(QUAD_METRICS_TOKEN_FILE, 'a-token-of-enough-letters\n');
  expect(readConfig({ QUAD_METRICS_TOKEN_FILE }).metricsToken).toBe('a-token-of-enough-letters');
  expect(listConfigurationHints({ QUAD_METRICS_TOKEN_FILE })).toEqual([]);
  expect(() => readConfig({ QUAD_METRICS_TOKEN_FILE: `${folder}/missing` })).toThrow(
    `Wrong configuration: cannot read the file of QUAD_METRICS_TOKEN_FILE, ${folder}/missing: ENOENT`,
  );
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', QUAD_DATABASE_URL: '' })).toMatchObject({
    port: 3000,
    databaseUrl: undefined,
  });
});

test('an S3 store needs all of its variables or none', () => {
  const store = {
    QUAD_S3_ENDPOINT: 'https://s3.example.com',
    QUAD_S3_REGION: 'us-east-1',
    QUAD_S3_BUCKET: 'quad',
    QUAD_S3_ACCESS_KEY_ID: 'key',
    QUAD_S3_SECRET_ACCESS_KEY: 'secret',
  };
  expect(readConfig({}).s3).toBeUndefined();
  expect(readConfig(store).s3).toEqual({
    endpoint: 'https://s3.example.com',
    region: 'us-east-1',
    bucket: 'quad',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  });
  for (const name of Object.keys(store))
    expect(() => readConfig({ ...store, [name]: '' })).toThrow(
      `Wrong configuration: the S3 store needs ${name} too`,
    );
});

test.each([
  [{ PORT: 'many' }, 'PORT must be a number'],
  [{ PORT: '70000' }, 'PORT must be between 0 and 65535'],
  [
    { QUAD_PUBLIC_URL: 'quad.example' },
    'QUAD_PUBLIC_URL must be an address beginning with http:// or https://',
  ],
  [{ QUAD_PUBLIC_URL: 'http://usc.edu/quad' }, 'QUAD_PUBLIC_URL must end after the host and port'],
  [{ QUAD_PUBLIC_URL: 'http://usc.edu?from=mail' }, 'QUAD_PUBLIC_URL must end after the host and port'],
  [{ QUAD_PUBLIC_URL: 'http://usc.edu/#top' }, 'QUAD_PUBLIC_URL must end after the host and port'],
  [{ QUAD_PUBLIC_URL: 'http://ada:secret@usc.edu' }, 'QUAD_PUBLIC_URL must end after the host and port'],
  [
    { QUAD_DATABASE_URL: 'mysql://root@localhost' },
    'QUAD_DATABASE_URL must be an address beginning with postgres://',
  ],
  [{ QUAD_CAMPUS_TIMEZONE: 'Mars/Olympus' }, 'QUAD_CAMPUS_TIMEZONE must be an IANA time zone'],
  [{ QUAD_CAMPUS_LOCALE: 'en_US' }, 'QUAD_CAMPUS_LOCALE must be a locale'],
  [{ QUAD_CAMPUS_CURRENCY: 'dollars' }, 'QUAD_CAMPUS_CURRENCY must be a currency'],
  [{ QUAD_CAMPUS_COUNTRY: 'UX' }, 'QUAD_CAMPUS_COUNTRY must be a country'],
  [{ QUAD_CAMPUS: 'no/such.json' }, 'cannot use the campus of QUAD_CAMPUS, no/such.json: ENOENT'],
  [{ QUAD_CAMPUS: 'package.json' }, 'cannot use the campus of QUAD_CAMPUS, package.json: '],
  [{ QUAD_CAMPUS_DOMAIN: 'not a domain' }, 'QUAD_CAMPUS_DOMAIN must be a domain'],
  [
    { QUAD_CAMPUS_DOMAIN: 'usc.edu', QUAD_CAMPUS_DOMAINS: '*.edu, usc*.edu' },
    'QUAD_CAMPUS_DOMAINS must be domains',
  ],
  [{ QUAD_CAMPUS_DOMAINS: 'alumni.usc.edu' }, 'QUAD_CAMPUS_DOMAINS needs QUAD_CAMPUS_DOMAIN'],
  [{ QUAD_OIDC_ISSUER: 'http://login.usc.edu' }, 'QUAD_OIDC_ISSUER must be an https address'],
  [
    { QUAD_OIDC_ISSUER: 'https://login.usc.edu/.well-known/openid-configuration' },
    'QUAD_OIDC_ISSUER must be the issuer, which ends before /.well-known/',
  ],
  [{ QUAD_OIDC_NAME: 'USC NetID' }, 'the QUAD_OIDC_ settings need QUAD_OIDC_ISSUER'],
  [
    { QUAD_OIDC_ISSUER: 'https://login.usc.edu' },
    'QUAD_OIDC_ISSUER needs QUAD_OIDC_CLIENT_ID and QUAD_OIDC_NAME',
  ],
  [
    { QUAD_OIDC_ISSUER: 'https://login.usc.edu', QUAD_OIDC_CLIENT_ID: 'quad', QUAD_OIDC_NAME: 'USC NetID' },
    'QUAD_OIDC_ISSUER needs either QUAD_OIDC_CLIENT_SECRET or QUAD_OIDC_PRIVATE_KEY',
  ],
  [{ QUAD_OIDC_PRIVATE_KEY: 'secret' }, 'QUAD_OIDC_PRIVATE_KEY must be a private key'],
  [{ QUAD_OIDC_SCOPES: 'email profile' }, 'QUAD_OIDC_SCOPES must contain openid'],
  [{ QUAD_TRUST_PROXY: '10.0.0.0/8, everybody' }, 'QUAD_TRUST_PROXY must be addresses or networks'],
  [{ QUAD_DEMO: 'yes' }, 'QUAD_DEMO'],
  [{ QUAD_MAIL: 'no' }, 'QUAD_MAIL'],
  [
    { QUAD_S3_ENDPOINT: 's3.example.com' },
    'QUAD_S3_ENDPOINT must be an address beginning with http:// or https://',
  ],
  [
    { QUAD_S3_BUCKET: 'quad' },
    'the S3 store needs QUAD_S3_ENDPOINT, QUAD_S3_REGION, QUAD_S3_ACCESS_KEY_ID, QUAD_S3_SECRET_ACCESS_KEY',
  ],
  [{ QUAD_MAIL_FROM: 'Quad' }, 'QUAD_MAIL_FROM must be one e-mail address, with or without a name'],
  [{ QUAD_MAIL_FROM: 'Quad <quad>' }, 'QUAD_MAIL_FROM must be one e-mail address'],
  [{ QUAD_MAIL_FROM: 'A <a@usc.edu>, B <b@usc.edu>' }, 'QUAD_MAIL_FROM must be one e-mail address'],
  [{ QUAD_MAIL_FROM: 'a@usc.edu, b@usc.edu' }, 'QUAD_MAIL_FROM must be one e-mail address'],
  [{ QUAD_METRICS_TOKEN: 'short' }, 'QUAD_METRICS_TOKEN must be 16 to 200 letters'],
  [
    { QUAD_REDIS_URL: 'localhost:6379' },
    'QUAD_REDIS_URL must be an address beginning with redis:// or rediss://',
  ],
  [
    { QUAD_RATE_LIMITS: 'off', QUAD_DATABASE_URL: 'postgres://quad@db/quad' },
    'QUAD_RATE_LIMITS can be off only',
  ],
])('%j aborts startup with a one-line error that names what is wrong', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(sentence);
  expect(() => readConfig(environment)).toThrow(/^Wrong configuration: .+$/);
});

test('a QUAD_PUBLIC_URL that is not a URL at all gets only one error message', () => {
  expect(() => readConfig({ QUAD_PUBLIC_URL: 'quad.example' })).toThrow(/^(?!.*host and port)/);
});

test('error messages do not repeat invalid values, which may contain a password', () => {
  expect(() => readConfig({ QUAD_DATABASE_URL: 'mysql://root:hunter2@localhost' })).not.toThrow(/hunter2/);
});

describe('a socket that systemd passes', () => {
  const LISTEN_PID = String(process.pid);

  test('is used only if LISTEN_PID is this process', () => {
    expect(readConfig({ LISTEN_FDS: '1', LISTEN_PID }).listenFd).toBe(3);
    expect(readConfig({ LISTEN_FDS: '1', LISTEN_PID: '1' }).listenFd).toBeUndefined();
    expect(readConfig({}).listenFd).toBeUndefined();
  });

  test('is refused if systemd passes more than one', () => {
    expect(() => readConfig({ LISTEN_FDS: '2', LISTEN_PID })).toThrow(
      'Wrong configuration: LISTEN_FDS must be 1, one socket for all',
    );
  });
});

test.each([
  ['germany', { locale: 'de-DE', currency: 'EUR', priceScale: 1, country: 'DE', timezone: 'Europe/Berlin' }],
  ['japan', { locale: 'ja-JP', currency: 'JPY', priceScale: 100, country: 'JP', timezone: 'Asia/Tokyo' }],
])('the campus of %s is read from its file, and single settings win over it', (name, campus) => {
  const QUAD_CAMPUS = `demo/campuses/${name}.json`;
  const config = readConfig({ QUAD_CAMPUS });
  expect(config.campus).toMatchObject(campus);
  expect(config.campusSpots).toHaveLength(3);
  expect(config.campus.colors?.frame.light).toMatch(/^#[\da-f]{6}$/);
  expect(readConfig({ QUAD_CAMPUS, QUAD_CAMPUS_NAME: 'Other' }).campus).toMatchObject({
    ...campus,
    name: 'Other',
  });
});

test('a wrong color of a campus stops the start with one line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quad-campus-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const QUAD_CAMPUS = join(folder, 'campus.json');
  writeFileSync(QUAD_CAMPUS, JSON.stringify({ colors: { brand: 'cardinal' } }));
  expect(() => readConfig({ QUAD_CAMPUS })).toThrow(
    `Wrong configuration: cannot use the campus of QUAD_CAMPUS, ${QUAD_CAMPUS}: colors brand must be a color such as #990000`,
  );
});

test('the default campus has the colors of the design tokens', () => {
  expect(readConfig({}).campus.colors).toBeUndefined();
});
