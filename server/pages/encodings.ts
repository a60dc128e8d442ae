import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** The content encodings of a page, smallest first. */
export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Slightly larger than the best quality at a tenth of its time; a page is often cached for only seconds. */
const brotliQuality = 5;

/** Encodes a text; compression runs outside the main thread. */
export const encode = async (text: Buffer, encoding: Encoding): Promise<Buffer> => {
  if (encoding === 'identity') return text;
  if (encoding === 'gzip') return asGzip(text);
  return asBrotli(text, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
};

/** Returns the smallest encoding that an Accept-Encoding header allows (RFC 9110, 12.5.3); identity is always allowed. */
export const acceptedEncoding = (header: string | undefined): Encoding => {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(encodings);
  return encodings.find((encoding) => accepted.includes(encoding)) ?? 'identity';
};
