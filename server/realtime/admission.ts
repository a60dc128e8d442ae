import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { all, compile } from '@fastify/proxy-addr';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { maxFrameBytes, socketPath } from '#contract/realtime.ts';
import type { App } from '#server/app.ts';
import { toClientAddressKey } from '#server/platform/rate-limits.ts';
import type { ConnectionLimits, ConnectionSlot } from './connection-limits.ts';

const websocketPath = `${socketPath}/websocket`;
const localHostNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const parseRequestUrl = ({ url = '' }: IncomingMessage): URL | null => URL.parse(url, 'http://server');

/**
 * Returns whether a request is an upgrade to the realtime socket. Other upgrade requests are served as ordinary
 * requests.
 */
export const isRealtimeUpgrade = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' &&
  parseRequestUrl(request)?.pathname === websocketPath;

/** Returns whether the client uses the supported version of the Phoenix protocol. */
const hasSupportedProtocolVersion = (request: IncomingMessage): boolean =>
  parseRequestUrl(request)?.searchParams.get('vsn') === '2.0.0';

/**
 * Returns a function that finds the client address of a request, by which connections are counted. As for
 * other requests, forwarded headers are used only when they come from a trusted proxy.
 */
const createClientAddressReader = (trustProxy: string[]): ((request: IncomingMessage) => string) => {
  const trust = compile(trustProxy);
  return (request) => toClientAddressKey(all(request, trust).at(-1) ?? '');
};

/**
 * Returns whether a client that sends this Origin header may open a socket. Our own pages may, and
 * so may programs other than browsers, which send no Origin header. When the public URL is a local
 * one, the machine may be reached under several names, so it is enough that the origin matches the
 * requested host.
 */
export const isOriginAllowed = (
  { origin, host }: { origin?: string | undefined; host?: string | undefined },
  publicUrl: string,
): boolean => {
  if (origin === undefined) return true;
  const own = new URL(publicUrl);
  if (origin === own.origin) return true;
  return localHostNames.has(own.hostname) && host !== undefined && URL.parse(origin)?.host === host;
};

const statusTexts = {
  400: 'Bad Request',
  403: 'Forbidden',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
} as const;
/**
 * Value of the Retry-After header that is sent with status 429. Sockets that never join a topic are
 * closed within this time, which frees the quota of the client address.
 */
const retryAfterSeconds = 5;

/** Responds to an upgrade request with an error and closes the connection. */
const rejectUpgrade = (stream: Duplex, status: keyof typeof statusTexts): void => {
  stream.once('finish', () => stream.destroy());
  const head = `HTTP/1.1 ${status} ${statusTexts[status]}`;
  const retry = status === 429 ? `\r\nRetry-After: ${retryAfterSeconds}` : '';
  stream.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\nCache-Control: no-store${retry}\r\n\r\n`);
};

/** What decides about sockets, and receives those that are admitted. */
interface Admission {
  connectionLimits: ConnectionLimits;
  isClosing(): boolean;
  /**
   * Takes over a socket after its upgrade. The connection slot is released automatically when the
   * socket closes.
   */
  accept(webSocket: WebSocket, slot: ConnectionSlot): void;
}

const maxLoggedOriginLength = 200;
/** Timeout for a peer to complete the closing handshake. */
const closingTimeoutMs = 2000;

/**
 * Returns a function that upgrades a request to a WebSocket, or refuses it: when the origin or the
 * protocol version is not allowed, when the server is stopping, or when a connection limit is
 * reached.
 */
export const createUpgradeHandler = (
  { config: { publicUrl, trustProxy }, log }: App,
  { connectionLimits, isClosing, accept }: Admission,
) => {
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    closeTimeout: closingTimeoutMs,
  };
  const webSocketServer = new WebSocketServer(options);
  const clientAddress = createClientAddressReader(trustProxy);

  /**
   * Completes the upgrade of a request that has acquired a connection slot. The slot is released
   * when the connection closes for any reason.
   */
  const complete = (slot: ConnectionSlot, request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    if (stream.closed) {
      slot.release();
      return;
    }
    stream.once('close', slot.release);
    if (isClosing()) rejectUpgrade(stream, 503);
    else webSocketServer.handleUpgrade(request, stream, head, (webSocket) => accept(webSocket, slot));
  };

  return async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    // Ignore connection errors: a client may disconnect before the upgrade is complete.
    stream.on('error', () => {});
    if (!isOriginAllowed(request.headers, publicUrl)) {
      // Log both origins, because the usual cause of a refusal is a QUAD_PUBLIC_URL that differs from
      // the URL that visitors use.
      const origin = request.headers.origin?.slice(0, maxLoggedOriginLength);
      log.warn({ origin, expected: new URL(publicUrl).origin }, 'socket refused: foreign origin');
      rejectUpgrade(stream, 403);
    } else if (!hasSupportedProtocolVersion(request)) rejectUpgrade(stream, 400);
    else if (isClosing()) rejectUpgrade(stream, 503);
    else {
      try {
        const slot = await connectionLimits.acquire(clientAddress(request));
        if (slot) complete(slot, request, stream, head);
        else rejectUpgrade(stream, 429);
      } catch (error) {
        log.warn({ err: error }, 'A connection slot could not be acquired');
        rejectUpgrade(stream, 503);
      }
    }
  };
};
