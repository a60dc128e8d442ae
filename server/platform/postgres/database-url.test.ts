import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseDatabaseUrl, splitReadDatabaseUrl } from './database-url.ts';

const certificateFolder = mkdtempSync(join(tmpdir(), 'quad-tls-'));
const certificate = join(certificateFolder, 'ca.pem');
writeFileSync(certificate, 'the certificate');
afterAll(() => rmSync(certificateFolder, { recursive: true }));

const plainUrl = 'postgres://quad:a%2Fb@db.example.edu:5433/quad';

test('connects without TLS by default and with sslmode=disable', () => {
  expect(parseDatabaseUrl(plainUrl)).toMatchObject({ url: plainUrl, ssl: undefined });
  expect(parseDatabaseUrl(`${plainUrl}?sslmode=disable`)).toMatchObject({ url: plainUrl, ssl: undefined });
  expect(parseDatabaseUrl(`${plainUrl}?application_name=quad`).url).toBe(`${plainUrl}?application_name=quad`);
});

test('encrypts with sslmode=require, verifies the certificate with verify-ca, and its host name too with verify-full', () => {
  const root = `sslrootcert=${encodeURIComponent(certificate)}`;
  const host = 'db.example.edu';
  expect(parseDatabaseUrl(`${plainUrl}?sslmode=require`)).toMatchObject({
    url: plainUrl,
    ssl: { rejectUnauthorized: false },
  });
  expect(parseDatabaseUrl(`${plainUrl}?sslmode=verify-full`)).toMatchObject({ url: plainUrl, ssl: { host } });
  expect(parseDatabaseUrl(`${plainUrl}?sslmode=verify-full&${root}`).ssl).toEqual({
    ca: 'the certificate',
    host,
  });
  expect(parseDatabaseUrl(`${plainUrl}?${root}`).ssl).toEqual({ ca: 'the certificate', host });
  // As in libpq, "require" with a root certificate also checks the certificate.
  for (const mode of ['require', 'verify-ca']) {
    const { ssl } = parseDatabaseUrl(`${plainUrl}?sslmode=${mode}&${root}`);
    expect(ssl).toMatchObject({ ca: 'the certificate' });
    expect(ssl?.rejectUnauthorized).toBeUndefined();
    expect(ssl?.checkServerIdentity?.('other.example', {} as never)).toBeUndefined();
  }
});

const parseHosts = (databaseUrl: string) => parseDatabaseUrl(databaseUrl).hosts;
const readWrite = 'target_session_attrs=read-write';

test('accepts several hosts before the path or as parameters, as libpq does', () => {
  const hosts = [
    { host: 'a.example', port: 5432 },
    { host: '10.0.0.2', port: 5433 },
    { host: 'fe80::1', port: 5434 },
  ];
  const listed = `postgres://quad:a%2Fb@a.example,10.0.0.2:5433,[fe80::1]:5434/quad?${readWrite}`;
  expect(parseHosts(listed)).toEqual(hosts);
  expect(parseDatabaseUrl(listed)).toMatchObject({
    url: 'postgres://quad:a%2Fb@a.example:5432/quad',
    needsPrimary: true,
  });
  expect(
    parseHosts(`postgres://quad@/quad?host=a.example,10.0.0.2,[fe80::1]&port=5432,5433,5434&${readWrite}`),
  ).toEqual(hosts);
  expect(parseHosts(`postgres://quad@/quad?host=a,b&port=6000&${readWrite}`)).toEqual([
    { host: 'a', port: 6000 },
    { host: 'b', port: 6000 },
  ]);
  expect(parseDatabaseUrl(plainUrl)).toMatchObject({
    hosts: [{ host: 'db.example.edu', port: 5433 }],
    needsPrimary: false,
  });
  expect(parseDatabaseUrl(`${plainUrl}?${readWrite}`)).toMatchObject({ url: plainUrl, needsPrimary: true });
});

test('accepts the folder of a Unix socket as host, as libpq does', () => {
  const hosts = [{ host: '/run/postgresql', port: 5433 }];
  expect(parseHosts('postgres://quad@%2Frun%2Fpostgresql:5433/quad')).toEqual(hosts);
  expect(parseHosts('postgres://quad@/quad?host=/run/postgresql&port=5433')).toEqual(hosts);
});

test('with several hosts, verify-full accepts a certificate for one of them', () => {
  const { ssl } = parseDatabaseUrl(
    `postgres://quad@a.example,b.example/quad?${readWrite}&sslmode=verify-full`,
  );
  const check = (name: string) =>
    ssl?.checkServerIdentity?.('', { subject: { CN: name }, subjectaltname: `DNS:${name}` } as never);
  expect(check('b.example')).toBeUndefined();
  expect(check('c.example')?.message).toContain('c.example');
});

test.each([
  [
    'postgres://quad@a,b/quad',
    'QUAD_DATABASE_URL names several hosts and needs target_session_attrs=read-write',
  ],
  [`postgres://quad@/quad?host=a,b,c&port=1,2&${readWrite}`, 'QUAD_DATABASE_URL has 3 hosts and 2 ports'],
  [`postgres://quad@a,b:x/quad?${readWrite}`, 'QUAD_DATABASE_URL has an invalid host: "b:x"'],
  [`postgres://quad@a,b:70000/quad?${readWrite}`, 'QUAD_DATABASE_URL has an invalid host: "b:70000"'],
  [
    'postgres://a/quad?target_session_attrs=standby',
    'target_session_attrs of QUAD_DATABASE_URL must be read-write, because Quad writes',
  ],
])('refuses %s with a one-line message', (databaseUrl, message) => {
  expect(() => parseDatabaseUrl(databaseUrl)).toThrow(message);
});

test('splits QUAD_DATABASE_READ_URL into one URL for each host', () => {
  expect(
    splitReadDatabaseUrl('postgres://quad:a%2Fb@a.example,[fe80::1]:5433/quad?target_session_attrs=standby'),
  ).toEqual(['postgres://quad:a%2Fb@a.example:5432/quad', 'postgres://quad:a%2Fb@[fe80::1]:5433/quad']);
  expect(splitReadDatabaseUrl('postgres://quad@/quad?host=a,b&sslmode=require')).toEqual([
    'postgres://quad@a:5432/quad?sslmode=require',
    'postgres://quad@b:5432/quad?sslmode=require',
  ]);
});

test.each([
  [
    'postgres://a/quad?target_session_attrs=read-write',
    'target_session_attrs of QUAD_DATABASE_READ_URL must be one of any, standby, prefer-standby, read-only',
  ],
  ['postgres://a,b:x/quad', 'QUAD_DATABASE_READ_URL has an invalid host: "b:x"'],
  [
    'postgres://a,b/quad?sslmode=prefer',
    'sslmode of QUAD_DATABASE_READ_URL must be one of disable, require, verify-ca, verify-full',
  ],
])('refuses %s as QUAD_DATABASE_READ_URL with a one-line message', (readUrl, message) => {
  expect(() => splitReadDatabaseUrl(readUrl)).toThrow(message);
});

test('refuses sslmodes that may fall back to plain text and missing certificate files, with one-line messages', () => {
  for (const mode of ['prefer', 'allow', 'yes'])
    expect(() => parseDatabaseUrl(`${plainUrl}?sslmode=${mode}`)).toThrow(
      /^sslmode of QUAD_DATABASE_URL must be one of disable, require, verify-ca, verify-full$/,
    );
  expect(() => parseDatabaseUrl(`${plainUrl}?sslrootcert=/nowhere/ca.pem`)).toThrow(
    /^Cannot read sslrootcert \/nowhere\/ca.pem of QUAD_DATABASE_URL: ENOENT$/,
  );
});
