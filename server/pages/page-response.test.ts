import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodeBody, negotiateEncoding } from './page-response.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=1.0', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000,gzip;q=0', 'identity'],
  ['br;q=0.1', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity', 'identity'],
  ['brotli, gzipped', 'identity'],
])('Accept-Encoding %s selects %s', (header, encoding) => {
  expect(negotiateEncoding(header)).toBe(encoding);
});

test('a body in any encoding decodes to the original text', async () => {
  const text = Buffer.from('<p>Solid oak desk</p>'.repeat(100));
  expect(brotliDecompressSync(await encodeBody(text, 'br'))).toEqual(text);
  expect(gunzipSync(await encodeBody(text, 'gzip'))).toEqual(text);
  expect(await encodeBody(text, 'identity')).toBe(text);
});
