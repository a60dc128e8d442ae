import type { IncomingMessage } from 'node:http';
import { socketPath } from '#contract/realtime.ts';

const websocketPath = `${socketPath}/websocket`;
const localNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const addressOf = ({ url = '' }: IncomingMessage): URL | null => URL.parse(url, 'http://server');

/** Whether a request asks for the realtime socket; any other wish to upgrade is served as an ordinary request. */
export const isRealtimeUpgrade = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' && addressOf(request)?.pathname === websocketPath;

/** Whether the caller speaks the serializer that is spoken here. */
export const speaksOurVersion = (request: IncomingMessage): boolean =>
  addressOf(request)?.searchParams.get('vsn') === '2.0.0';

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
