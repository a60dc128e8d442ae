import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { maxFrameBytes } from '#contract/realtime.ts';
import type { Log } from '#server/platform/process/log.ts';
import { addressOf, isOriginWelcome, refuse, speaksOurVersion } from './admission.ts';
import type { ConnectionLimits, ConnectionSlot } from './connection-limits.ts';

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
