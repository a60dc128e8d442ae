import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { all, compile } from '@fastify/proxy-addr';
import { socketPath } from '#contract/realtime.ts';
import { clientKey } from '#server/platform/rate-limits.ts';

const websocketPath = `${socketPath}/websocket`;
const localNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const urlOf = ({ url = '' }: IncomingMessage): URL | null => URL.parse(url, 'http://server');

/** Returns whether a request asks for the realtime socket; other upgrade requests are served as ordinary requests. */
export const isRealtimeUpgrade = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' && urlOf(request)?.pathname === websocketPath;

/** Returns whether the client uses the protocol version that this server speaks. */
export const speaksOurVersion = (request: IncomingMessage): boolean =>
  urlOf(request)?.searchParams.get('vsn') === '2.0.0';

/** Returns a function that reads a client's address the way requests do: forwarded headers count only from these proxies. */
export const addressOf = (trustProxy: string[]): ((request: IncomingMessage) => string) => {
  const trust = compile(trustProxy);
  return (request) => clientKey(all(request, trust).at(-1) ?? '');
};

/**
 * Returns whether a page of this origin may open a socket: one of our pages, or no page at all (programs send no
 * origin). Without a configured public URL a machine may be reached under several names, so the origin must match the
 * requested host.
 */
export const isOriginWelcome = (
  { origin, host }: { origin?: string | undefined; host?: string | undefined },
  publicUrl: string,
): boolean => {
  if (origin === undefined) return true;
  const own = new URL(publicUrl);
  if (origin === own.origin) return true;
  return localNames.has(own.hostname) && host !== undefined && URL.parse(origin)?.host === host;
};

const refusals = {
  400: 'Bad Request',
  403: 'Forbidden',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
} as const;
/** By then most sockets that fill an address's quota are gone. */
const retryAfterSeconds = 5;

/** Responds to an upgrade request with an error and closes the connection. */
export const refuse = (stream: Duplex, status: keyof typeof refusals): void => {
  stream.once('finish', () => stream.destroy());
  const head = `HTTP/1.1 ${status} ${refusals[status]}`;
  const retry = status === 429 ? `\r\nRetry-After: ${retryAfterSeconds}` : '';
  stream.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\nCache-Control: no-store${retry}\r\n\r\n`);
};
