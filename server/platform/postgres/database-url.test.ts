import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

const certificateFolder = mkdtempSync(join(tmpdir(), 'quad-tls-'));
const certificate = join(certificateFolder, 'ca.pem');
writeFileSync(certificate, 'the certificate');
afterAll(() => rmSync(certificateFolder, { recursive: true }));

const plainUrl = 'postgres://quad:a%2Fb@db.example.edu:5433/quad';

test('connects without TLS by default and with sslmode=disable', () => {
  expect(parseDatabaseUrl(plainUrl)).toEqual({ url: plainUrl, ssl: undefined });
  expect(parseDatabaseUrl(`${plainUrl}?sslmode=disable`)).toEqual({ url: plainUrl, ssl: undefined });
  expect(parseDatabaseUrl(`${plainUrl}?application_name=quad`).url).toBe(`${plainUrl}?application_name=quad`);
});

test('encrypts with sslmode=require, verifies the certificate with verify-ca, and its host name too with verify-full', () => {
  const root = `sslrootcert=${encodeURIComponent(certificate)}`;
  const host = 'db.example.edu';
  expect(parseDatabaseUrl(`${plainUrl}?sslmode=require`)).toEqual({
    url: plainUrl,
    ssl: { rejectUnauthorized: false },
  });
  expect(parseDatabaseUrl(`${plainUrl}?sslmode=verify-full`)).toEqual({ url: plainUrl, ssl: { host } });
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

test('refuses sslmodes that may fall back to plain text and a missing certificate file, each in one line', () => {
  for (const mode of ['prefer', 'allow', 'yes'])
    expect(() => parseDatabaseUrl(`${plainUrl}?sslmode=${mode}`)).toThrow(
      /^sslmode of DATABASE_URL must be one of disable, require, verify-ca, verify-full$/,
    );
  expect(() => parseDatabaseUrl(`${plainUrl}?sslrootcert=/nowhere/ca.pem`)).toThrow(
    /^Cannot read sslrootcert \/nowhere\/ca.pem of DATABASE_URL: ENOENT$/,
  );
});
