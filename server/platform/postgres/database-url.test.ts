import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { connectionOf } from './database-url.ts';

const folder = mkdtempSync(join(tmpdir(), 'quad-tls-'));
const certificate = join(folder, 'ca.pem');
writeFileSync(certificate, 'the certificate');
afterAll(() => rmSync(folder, { recursive: true }));

const plain = 'postgres://quad:a%2Fb@db.example.edu:5433/quad';

test('connects without TLS by default and with sslmode=disable', () => {
  expect(connectionOf(plain)).toEqual({ url: plain, ssl: undefined });
  expect(connectionOf(`${plain}?sslmode=disable`)).toEqual({ url: plain, ssl: undefined });
  expect(connectionOf(`${plain}?application_name=quad`).url).toBe(`${plain}?application_name=quad`);
});

test('encrypts with require, also checks the certificate with verify-ca and its host name with verify-full', () => {
  const root = `sslrootcert=${encodeURIComponent(certificate)}`;
  const host = 'db.example.edu';
  expect(connectionOf(`${plain}?sslmode=require`)).toEqual({
    url: plain,
    ssl: { rejectUnauthorized: false },
  });
  expect(connectionOf(`${plain}?sslmode=verify-full`)).toEqual({ url: plain, ssl: { host } });
  expect(connectionOf(`${plain}?sslmode=verify-full&${root}`).ssl).toEqual({ ca: 'the certificate', host });
  expect(connectionOf(`${plain}?${root}`).ssl).toEqual({ ca: 'the certificate', host });
  // As in libpq, "require" with a root certificate also checks the certificate.
  for (const mode of ['require', 'verify-ca']) {
    const { ssl } = connectionOf(`${plain}?sslmode=${mode}&${root}`);
    expect(ssl).toMatchObject({ ca: 'the certificate' });
    expect(ssl?.rejectUnauthorized).toBeUndefined();
    expect(ssl?.checkServerIdentity?.('other.example', {} as never)).toBeUndefined();
  }
});

test('refuses in one line a mode that may not encrypt and a certificate that does not exist', () => {
  for (const mode of ['prefer', 'allow', 'yes'])
    expect(() => connectionOf(`${plain}?sslmode=${mode}`)).toThrow(
      /^sslmode of DATABASE_URL must be one of disable, require, verify-ca, verify-full$/,
    );
  expect(() => connectionOf(`${plain}?sslrootcert=/nowhere/ca.pem`)).toThrow(
    /^Cannot read sslrootcert \/nowhere\/ca.pem of DATABASE_URL: ENOENT$/,
  );
});
