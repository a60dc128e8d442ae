import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { isUnchanged } from '#server/http/freshness.ts';
import type { RenderedPage } from './render.ts';

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

/** One encoding of a page; headers alternate names and values, which Node writes fastest. */
interface EncodedPage {
  head: string[];
  body: Buffer;
}

/** A page ready to send, in one or more encodings. */
export interface Page {
  status: number;
  etag: string;
  encoded: Partial<Record<Encoding, EncodedPage>>;
  /** Headers of the 304 response. */
  unchangedHead: string[];
}

/**
 * A shared cache may reuse a page for a second, so it requests each page at most once a second; a browser revalidates
 * every time and usually gets 304. There is no stale-while-revalidate, because browsers would obey it too and show
 * owners their listing as it was before they saved it.
 */
const sharedSecond = 'public, max-age=0, s-maxage=1';

/** Prepares a rendered page for sending. Its ETag depends on the text alone and is weak, because encodings share it. */
export const finishPage = async (
  { status, headers, body }: RenderedPage,
  protection: Record<string, string>,
  { cacheable, wanted }: { cacheable: boolean; wanted: readonly Encoding[] },
): Promise<Page> => {
  const text = Buffer.from(body);
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const { 'content-type': type = 'text/html; charset=utf-8', ...others } = headers;
  // The 304 response also carries the policy, because browsers take over its headers.
  const common = {
    ...protection,
    ...others,
    etag,
    vary: 'accept-encoding',
    ...(cacheable ? { 'cache-control': sharedSecond } : {}),
  };
  const headOf = (more: Record<string, string>) => Object.entries({ ...common, ...more }).flat();
  const encodeAs = async (encoding: Encoding): Promise<EncodedPage> => {
    const encodedText = await encode(text, encoding);
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

/** Writes the response directly, bypassing the framework: all headers are known, and its processing costs as much as sending. */
export const sendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  { status, etag, encoded, unchangedHead }: Page,
  encoding: Encoding,
): FastifyReply => {
  const found = encoded[encoding];
  if (!found) throw new Error(`The page was not encoded as ${encoding}`);
  reply.hijack();
  if (status === 200 && isUnchanged(request, etag)) {
    reply.raw.writeHead(304, unchangedHead).end();
  } else {
    reply.raw.writeHead(status, found.head).end(request.method === 'HEAD' ? undefined : found.body);
  }
  return reply;
};
