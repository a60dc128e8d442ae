import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, encode } from './encodings.ts';
import type { RenderedPage } from './render.ts';

/** One form of a page, with names and values of its headers in turn, as Node writes them fastest. */
interface Form {
  head: string[];
  body: Buffer;
}

/** A page ready to be sent, in one or more forms. */
export interface Page {
  status: number;
  etag: string;
  forms: Partial<Record<Encoding, Form>>;
  /** The headers of the answer that it has not changed. */
  unchangedHead: string[];
}

/**
 * A shared cache may hand a page on for a second, so that it asks once a second however many readers it has; a browser
 * asks each time and is mostly told that nothing changed. Serving stale while asking again is left out: browsers obey
 * it, too, and would show owners their listing as it was before they saved it.
 */
const sharedSecond = 'public, max-age=0, s-maxage=1';

/** Makes a rendered page ready. Only the text decides its tag: its forms say the same (a weak tag). */
export const finishPage = async (
  { status, headers, body }: RenderedPage,
  protection: Record<string, string>,
  { keep, wanted }: { keep: boolean; wanted: readonly Encoding[] },
): Promise<Page> => {
  const text = Buffer.from(body);
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const { 'content-type': type = 'text/html; charset=utf-8', ...others } = headers;
  // The policy, too, goes with the answer that nothing changed: a browser takes that answer's headers over.
  const common = {
    ...protection,
    ...others,
    etag,
    vary: 'accept-encoding',
    ...(keep ? { 'cache-control': sharedSecond } : {}),
  };
  const headOf = (more: Record<string, string>) => Object.entries({ ...common, ...more }).flat();
  const formOf = async (encoding: Encoding): Promise<Form> => {
    const encoded = await encode(text, encoding);
    const head = headOf({
      'content-type': type,
      'content-length': String(encoded.length),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    });
    return { head, body: encoded };
  };
  const forms = await Promise.all(
    wanted.map(async (encoding) => [encoding, await formOf(encoding)] as const),
  );
  return { status, etag, forms: Object.fromEntries(forms), unchangedHead: headOf({}) };
};

/** Whether an If-None-Match header names the page (RFC 9110, 13.1.2: weak comparison). */
export const isKnown = (header: string | undefined, etag: string): boolean => {
  if (!header) return false;
  if (header === etag || header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
};

/** Writes the answer past the framework: its headers are all there, and looking for more costs as much as sending. */
export const sendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  { status, etag, forms, unchangedHead }: Page,
  encoding: Encoding,
): FastifyReply => {
  const form = forms[encoding];
  if (!form) throw new Error(`The page was not made as ${encoding}`);
  reply.hijack();
  if (status === 200 && isKnown(request.headers['if-none-match'], etag)) {
    reply.raw.writeHead(304, unchangedHead).end();
  } else {
    reply.raw.writeHead(status, form.head).end(request.method === 'HEAD' ? undefined : form.body);
  }
  return reply;
};
