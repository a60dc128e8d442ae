import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { isNotModified } from '#server/http/freshness.ts';
import type { RenderedPage } from './render.ts';

/** The content encodings of a page, smallest first. */
export const contentEncodings = ['br', 'gzip', 'identity'] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Brotli quality. Compared with the maximum (11), 5 takes a tenth of the time and the output is only slightly
 * larger; a page is often cached for only seconds.
 */
const brotliQuality = 5;

/** Encodes a text; compression runs outside the main thread. */
export const encodeBody = async (text: Buffer, encoding: ContentEncoding): Promise<Buffer> => {
  if (encoding === 'identity') return text;
  if (encoding === 'gzip') return compressGzip(text);
  return compressBrotli(text, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
};

/** Returns the smallest encoding that an Accept-Encoding header allows (RFC 9110, 12.5.3); identity is always allowed. */
export const negotiateEncoding = (header: string | undefined): ContentEncoding => {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(contentEncodings);
  return contentEncodings.find((encoding) => accepted.includes(encoding)) ?? 'identity';
};

/**
 * One encoding of a page; `head` alternates header names and values, the form that Node writes
 * fastest.
 */
interface EncodedPage {
  head: string[];
  body: Buffer;
}

/** A page ready to send, in one or more encodings. */
export interface PreparedPage {
  status: number;
  etag: string;
  encoded: Partial<Record<ContentEncoding, EncodedPage>>;
  /** Headers of the 304 response for this page. */
  unchangedHead: string[];
}

/**
 * Lets a shared cache, such as a CDN, reuse a page for one second, so that it requests each page at
 * most once a second. A browser revalidates every time and usually gets 304. There is no
 * stale-while-revalidate, because browsers would apply it too and show owners an outdated listing
 * after they saved it.
 */
const pageCacheControl = 'public, max-age=0, s-maxage=1';

/**
 * Prepares a rendered page for sending. The ETag depends on the text alone and is weak, because all encodings
 * of the page share it.
 */
export const preparePage = async (
  { status, headers, body }: RenderedPage,
  securityHeaders: Record<string, string>,
  { cacheable, wanted }: { cacheable: boolean; wanted: readonly ContentEncoding[] },
): Promise<PreparedPage> => {
  const text = Buffer.from(body);
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const { 'content-type': type = 'text/html; charset=utf-8', ...others } = headers;
  // The 304 response also carries the Content-Security-Policy, because browsers update the headers
  // of their cached copy from it.
  const common = {
    ...securityHeaders,
    ...others,
    etag,
    vary: 'accept-encoding',
    ...(cacheable ? { 'cache-control': pageCacheControl } : {}),
  };
  const headOf = (more: Record<string, string>) => Object.entries({ ...common, ...more }).flat();
  const encodeAs = async (encoding: ContentEncoding): Promise<EncodedPage> => {
    const encodedText = await encodeBody(text, encoding);
    const head = headOf({
      'content-type': type,
      'content-length': String(encodedText.length),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    });
    return { head, body: encodedText };
  };
  const entries = await Promise.all(
    wanted.map(async (encoding) => [encoding, await encodeAs(encoding)] as const),
  );
  return { status, etag, encoded: Object.fromEntries(entries), unchangedHead: headOf({}) };
};

/**
 * Writes the response directly, bypassing Fastify: all headers are known, and Fastify's processing
 * costs as much as sending the page.
 */
export const sendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  { status, etag, encoded, unchangedHead }: PreparedPage,
  encoding: ContentEncoding,
): FastifyReply => {
  const found = encoded[encoding];
  if (!found) throw new Error(`The page was not encoded as ${encoding}`);
  reply.hijack();
  if (status === 200 && isNotModified(request, etag)) {
    reply.raw.writeHead(304, unchangedHead).end();
  } else {
    reply.raw.writeHead(status, found.head).end(request.method === 'HEAD' ? undefined : found.body);
  }
  return reply;
};
