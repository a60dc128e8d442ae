import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { all, compile } from '@fastify/proxy-addr';
import { socketPath } from '#contract/realtime.ts';
import { clientKey } from '#server/http/rate-limits.ts';

const websocketPath = `${socketPath}/websocket`;
const localNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const urlOf = ({ url = '' }: IncomingMessage): URL | null => URL.parse(url, 'http://server');

/** Whether a request asks for the realtime socket; any other wish to upgrade is served as an ordinary request. */
export const isRealtimeUpgrade = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' && urlOf(request)?.pathname === websocketPath;

/** Whether the caller speaks the serializer that is spoken here. */
export const speaksOurVersion = (request: IncomingMessage): boolean =>
  urlOf(request)?.searchParams.get('vsn') === '2.0.0';

/** Reads the address a client is counted by, as requests read it: forwarded ones are believed of these proxies only. */
export const addressOf = (trustProxy: string[]): ((request: IncomingMessage) => string) => {
  const trust = compile(trustProxy);
  return (request) => clientKey(all(request, trust).at(-1) ?? '');
};

/**
 * Whether a page of this origin may open a socket: a page of ours, or no page at all (other programs send none).
 * While the site has no address of its own, a machine may be reached under several names: then the page's origin is
 * the host that was asked.
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
/** What fills an address's places is mostly gone by then. */
const retryAfterSeconds = 5;

/** Answers a wish for a socket with a refusal and hangs up. */
export const refuse = (stream: Duplex, status: keyof typeof refusals): void => {
  stream.once('finish', () => stream.destroy());
  const head = `HTTP/1.1 ${status} ${refusals[status]}`;
  const retry = status === 429 ? `\r\nRetry-After: ${retryAfterSeconds}` : '';
  stream.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\nCache-Control: no-store${retry}\r\n\r\n`);
};
