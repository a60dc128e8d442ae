import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { all, compile } from '@fastify/proxy-addr';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { maxFrameBytes, socketPath } from '#contract/realtime.ts';
import type { Log } from '#server/platform/process/log.ts';
import { clientKey } from '#server/platform/rate-limits.ts';
import type { ConnectionLimits, ConnectionSlot } from './connection-limits.ts';

const websocketPath = `${socketPath}/websocket`;
const localNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const urlOf = ({ url = '' }: IncomingMessage): URL | null => URL.parse(url, 'http://server');

/** Returns whether a request asks for the realtime socket; other upgrade requests are served as ordinary requests. */
export const isRealtimeUpgrade = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' && urlOf(request)?.pathname === websocketPath;

/** Returns whether the client uses the protocol version that this server speaks. */
const speaksOurVersion = (request: IncomingMessage): boolean =>
  urlOf(request)?.searchParams.get('vsn') === '2.0.0';

/**
 * Returns a function that reads a client's address the way requests do: forwarded headers count only from these
 * proxies.
 */
const addressOf = (trustProxy: string[]): ((request: IncomingMessage) => string) => {
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
const refuse = (stream: Duplex, status: keyof typeof refusals): void => {
  stream.once('finish', () => stream.destroy());
  const head = `HTTP/1.1 ${status} ${refusals[status]}`;
  const retry = status === 429 ? `\r\nRetry-After: ${retryAfterSeconds}` : '';
  stream.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\nCache-Control: no-store${retry}\r\n\r\n`);
};

interface HandshakeDeps {
  connectionLimits: ConnectionLimits;
  publicUrl: string;
  trustProxy: string[];
  log: Log;
  isClosing(): boolean;
  /** Takes over an open socket; its slot is released by itself. */
  accept(webSocket: WebSocket, slot: ConnectionSlot): void;
}

const longestLoggedOrigin = 200;
/** How long a peer may take for the closing handshake. */
const closingTimeoutMs = 2000;

/** Returns a function that upgrades a request to a WebSocket, or refuses it, within the limits for connections. */
export const createHandshake = (deps: HandshakeDeps) => {
  const { connectionLimits, publicUrl, trustProxy, log, isClosing, accept } = deps;
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    closeTimeout: closingTimeoutMs,
  };
  const handshakes = new WebSocketServer(options);
  const clientAddress = addressOf(trustProxy);

  /** Completes an upgrade that has a connection slot; the slot is released whatever ends the connection. */
  const complete = (slot: ConnectionSlot, request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    if (stream.closed) {
      slot.release();
      return;
    }
    stream.once('close', slot.release);
    if (isClosing()) refuse(stream, 503);
    else handshakes.handleUpgrade(request, stream, head, (webSocket) => accept(webSocket, slot));
  };

  return async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    // A peer may disconnect before the upgrade is complete.
    stream.on('error', () => {});
    if (!isOriginWelcome(request.headers, publicUrl)) {
      // Usually a PUBLIC_URL that is not the address visitors use.
      const origin = request.headers.origin?.slice(0, longestLoggedOrigin);
      log.warn({ origin, expected: new URL(publicUrl).origin }, 'socket refused: foreign origin');
      refuse(stream, 403);
    } else if (!speaksOurVersion(request)) refuse(stream, 400);
    else if (isClosing()) refuse(stream, 503);
    else {
      try {
        const slot = await connectionLimits.acquire(clientAddress(request));
        if (slot) complete(slot, request, stream, head);
        else refuse(stream, 429);
      } catch (error) {
        log.warn({ err: error }, 'A connection slot could not be acquired');
        refuse(stream, 503);
      }
    }
  };
};
