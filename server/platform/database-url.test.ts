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

test('without TLS parameters, and with sslmode=disable, the connection is plain', () => {
  expect(connectionOf(plain)).toEqual({ url: plain, ssl: undefined });
  expect(connectionOf(`${plain}?sslmode=disable`)).toEqual({ url: plain, ssl: undefined });
  expect(connectionOf(`${plain}?application_name=quad`).url).toBe(`${plain}?application_name=quad`);
});

test('require encrypts, verify-ca checks the certificate, verify-full its name too', () => {
  const root = `sslrootcert=${encodeURIComponent(certificate)}`;
  const host = 'db.example.edu';
  expect(connectionOf(`${plain}?sslmode=require`)).toEqual({
    url: plain,
    ssl: { rejectUnauthorized: false },
  });
  expect(connectionOf(`${plain}?sslmode=verify-full`)).toEqual({ url: plain, ssl: { host } });
  expect(connectionOf(`${plain}?sslmode=verify-full&${root}`).ssl).toEqual({ ca: 'the certificate', host });
  expect(connectionOf(`${plain}?${root}`).ssl).toEqual({ ca: 'the certificate', host });
  // As in libpq, a root certificate makes of "require" a check of the certificate.
  for (const mode of ['require', 'verify-ca']) {
    const { ssl } = connectionOf(`${plain}?sslmode=${mode}&${root}`);
    expect(ssl).toMatchObject({ ca: 'the certificate' });
    expect(ssl?.rejectUnauthorized).toBeUndefined();
    expect(ssl?.checkServerIdentity?.('other.example', {} as never)).toBeUndefined();
  }
});

test('a mode that may or may not encrypt, and a certificate that is not there, are refused with one line', () => {
  for (const mode of ['prefer', 'allow', 'yes'])
    expect(() => connectionOf(`${plain}?sslmode=${mode}`)).toThrow(
      /^sslmode of DATABASE_URL must be one of disable, require, verify-ca, verify-full$/,
    );
  expect(() => connectionOf(`${plain}?sslrootcert=/nowhere/ca.pem`)).toThrow(
    /^Cannot read sslrootcert \/nowhere\/ca.pem of DATABASE_URL: ENOENT$/,
  );
});
