import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

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
  const config = readConfig({ CAMPUS_DOMAIN: 'Example.EDU', SITE_NAME: 'Yard', PORT: '8080' });
  expect(config.campus).toMatchObject({ domain: 'example.edu', supportEmail: 'support@example.edu' });
  expect(config).toMatchObject({
    mailFrom: { name: 'Yard', address: 'no-reply@example.edu' },
    publicUrl: 'http://localhost:8080',
  });
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
])('MAIL_FROM may be %s', (MAIL_FROM, name, address) => {
  expect(readConfig({ MAIL_FROM }).mailFrom).toEqual({ name, address });
});

test('PUBLIC_URL is an origin, whose final slash is removed', () => {
  expect(readConfig({ PUBLIC_URL: 'HTTP://Quad.example.edu:8080/' }).publicUrl).toBe(
    'http://quad.example.edu:8080',
  );
});

test('with DATABASE_URL the demo campus is off by default', () => {
  const DATABASE_URL = 'postgres://quad@localhost/quad';
  expect(readConfig({ DATABASE_URL }).demo).toBe(false);
  expect(readConfig({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true);
});

test('DATABASE_DIRECT_URL requires DATABASE_URL, the URL of the pooler', () => {
  const DATABASE_DIRECT_URL = 'postgres://quad@localhost:5432/quad';
  expect(
    readConfig({ DATABASE_URL: 'postgres://quad@localhost:6432/quad', DATABASE_DIRECT_URL })
      .directDatabaseUrl,
  ).toBe(DATABASE_DIRECT_URL);
  expect(() => readConfig({ DATABASE_DIRECT_URL })).toThrow(
    'Wrong configuration: DATABASE_DIRECT_URL needs DATABASE_URL too',
  );
});

test('CAMPUS_ADDRESS_ALIASES names what the mail system ignores; by default a tag after a plus sign', () => {
  expect(readConfig({}).campus.addressAliases).toBe('plus');
  expect(readConfig({ CAMPUS_ADDRESS_ALIASES: 'none' }).campus.addressAliases).toBe('none');
  expect(() => readConfig({ CAMPUS_ADDRESS_ALIASES: 'dots' })).toThrow('CAMPUS_ADDRESS_ALIASES');
});

test('DATABASE_READ_URL is split into one URL per server, and errors name the variable', () => {
  const DATABASE_URL = 'postgres://quad@a/quad';
  expect(readConfig({ DATABASE_URL }).readDatabaseUrls).toEqual([]);
  expect(
    readConfig({ DATABASE_URL, DATABASE_READ_URL: 'postgres://quad@b,c/quad' }).readDatabaseUrls,
  ).toEqual(['postgres://quad@b:5432/quad', 'postgres://quad@c:5432/quad']);
  expect(() => readConfig({ DATABASE_READ_URL: 'postgres://quad@b/quad' })).toThrow(
    'Wrong configuration: DATABASE_READ_URL needs DATABASE_URL too',
  );
  expect(() =>
    readConfig({ DATABASE_URL, DATABASE_READ_URL: 'postgres://quad@b/quad?sslmode=prefer' }),
  ).toThrow('Wrong configuration: sslmode of DATABASE_READ_URL must be one of');
});

describe('promise 50: with an https PUBLIC_URL', () => {
  const PUBLIC_URL = 'https://quad.example.edu';
  const SMTP_URL = 'smtps://mail.example.edu';

  test('the demo campus is off unless DEMO=on', () => {
    expect(readConfig({ PUBLIC_URL, SMTP_URL }).demo).toBe(false);
    expect(readConfig({ PUBLIC_URL, SMTP_URL, DEMO: 'on' }).demo).toBe(true);
    expect(readConfig({ PUBLIC_URL: 'http://quad.example.edu' }).demo).toBe(true);
  });

  test.each([PUBLIC_URL, 'HTTPS://quad.example.edu'])('%s needs rate limits', (address) => {
    for (const NODE_ENV of ['production', 'development', 'test'])
      expect(() => readConfig({ PUBLIC_URL: address, SMTP_URL, NODE_ENV, RATE_LIMITS: 'off' })).toThrow(
        'Wrong configuration: RATE_LIMITS cannot be off with an https PUBLIC_URL',
      );
  });

  test.each([PUBLIC_URL, 'HTTPS://quad.example.edu'])('%s needs a mail server or MAIL=off', (address) => {
    for (const NODE_ENV of ['production', 'development', 'test']) {
      const refused = () => readConfig({ PUBLIC_URL: address, NODE_ENV });
      expect(refused).toThrow(/^Wrong configuration: .*SMTP_URL.*MAIL=off.*$/);
    }
    expect(readConfig({ PUBLIC_URL: address, SMTP_URL }).mail).toEqual({ by: 'smtp', url: SMTP_URL });
    expect(readConfig({ PUBLIC_URL: address, MAIL: 'off' }).mail).toEqual({ by: 'nothing' });
  });
});

test('without an https PUBLIC_URL, mail goes to the development mailbox unless a mail server is set', () => {
  const SMTP_URL = 'smtp://mail.example.edu';
  for (const address of [{}, { PUBLIC_URL: 'http://quad.example.edu' }]) {
    expect(readConfig(address).mail).toEqual({ by: 'mailbox' });
    expect(readConfig({ ...address, SMTP_URL }).mail).toEqual({ by: 'smtp', url: SMTP_URL });
    expect(readConfig({ ...address, SMTP_URL, MAIL: 'off' }).mail).toEqual({ by: 'nothing' });
  }
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
});

test('an S3 store needs all of its variables or none', () => {
  const store = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_REGION: 'us-east-1',
    S3_BUCKET: 'quad',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
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
  [{ PUBLIC_URL: 'quad.example' }, 'PUBLIC_URL must be an address beginning with http:// or https://'],
  [{ PUBLIC_URL: 'http://usc.edu/quad' }, 'PUBLIC_URL must end after the host and port'],
  [{ PUBLIC_URL: 'http://usc.edu?from=mail' }, 'PUBLIC_URL must end after the host and port'],
  [{ PUBLIC_URL: 'http://usc.edu/#top' }, 'PUBLIC_URL must end after the host and port'],
  [{ PUBLIC_URL: 'http://ada:secret@usc.edu' }, 'PUBLIC_URL must end after the host and port'],
  [{ DATABASE_URL: 'mysql://root@localhost' }, 'DATABASE_URL must be an address beginning with postgres://'],
  [{ CAMPUS_TIMEZONE: 'Mars/Olympus' }, 'CAMPUS_TIMEZONE must be an IANA time zone'],
  [{ CAMPUS_LOCALE: 'en_US' }, 'CAMPUS_LOCALE must be a locale'],
  [{ CAMPUS_DOMAIN: 'not a domain' }, 'CAMPUS_DOMAIN must be a domain'],
  [{ TRUST_PROXY: '10.0.0.0/8, everybody' }, 'TRUST_PROXY must be addresses or networks'],
  [{ DEMO: 'yes' }, 'DEMO'],
  [{ MAIL: 'no' }, 'MAIL'],
  [{ S3_ENDPOINT: 's3.example.com' }, 'S3_ENDPOINT must be an address beginning with http:// or https://'],
  [
    { S3_BUCKET: 'quad' },
    'the S3 store needs S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY',
  ],
  [{ MAIL_FROM: 'Quad' }, 'MAIL_FROM must be one e-mail address, with or without a name'],
  [{ MAIL_FROM: 'Quad <quad>' }, 'MAIL_FROM must be one e-mail address'],
  [{ MAIL_FROM: 'A <a@usc.edu>, B <b@usc.edu>' }, 'MAIL_FROM must be one e-mail address'],
  [{ MAIL_FROM: 'a@usc.edu, b@usc.edu' }, 'MAIL_FROM must be one e-mail address'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be 16 to 200 letters'],
  [{ REDIS_URL: 'localhost:6379' }, 'REDIS_URL must be an address beginning with redis:// or rediss://'],
  [{ RATE_LIMITS: 'off', DATABASE_URL: 'postgres://quad@db/quad' }, 'RATE_LIMITS can be off only'],
])('%j aborts startup with a one-line error that names what is wrong', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(sentence);
  expect(() => readConfig(environment)).toThrow(/^Wrong configuration: .+$/);
});

test('a PUBLIC_URL that is not a URL at all gets only one error message', () => {
  expect(() => readConfig({ PUBLIC_URL: 'quad.example' })).toThrow(/^(?!.*host and port)/);
});

test('error messages do not repeat invalid values, which may contain a password', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@localhost' })).not.toThrow(/hunter2/);
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
