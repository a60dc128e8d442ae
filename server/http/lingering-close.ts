import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Limits on the rest of a body that arrives after the response was sent. The request timeout limits the total time. */
interface LingeringLimits {
  /** Maximum number of bytes. */
  bytes: number;
  /** Maximum time between two chunks, in ms. */
  idleMs: number;
}

/** Allows three times the size of the largest upload, so that clients with a file that is too large get their response. */
const defaultLimits: LingeringLimits = { bytes: 32 * 1024 * 1024, idleMs: 5_000 };

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Ends the response's side of a connection, then reads and drops the rest of the body. Closes the connection at the end
 * of the body or when a limit is exceeded.
 */
const closeAfterBody = (request: IncomingMessage, { bytes, idleMs }: LingeringLimits): void => {
  const { socket } = request;
  const close = socket.destroySoon.bind(socket);
  // Node calls this method when the response is sent, which would close the connection immediately.
  socket.destroySoon = () => {};
  socket.end();
  const timer = setTimeout(() => socket.destroy(), idleMs);
  socket.once('close', () => clearTimeout(timer));
  let droppedBytes = 0;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    timer.refresh();
    droppedBytes += chunk.length;
    if (droppedBytes > bytes) socket.destroy();
  });
  request.once('end', close);
  request.resume();
};

/**
 * Makes a connection whose request is answered before its body has arrived close only after the body (as nginx does with
 * `lingering_close`). When a connection is closed with unread data, the operating system resets it, and clients that are
 * still sending lose the response.
 */
export const installLingeringClose = (app: FastifyInstance, limits = defaultLimits): void => {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (hasBody(request.raw) && !request.raw.complete) reply.header('connection', 'close');
    done();
  });
  app.server.on('request', (request, response) => {
    response.prependOnceListener('finish', () => {
      if (!request.complete) closeAfterBody(request, limits);
    });
  });
};
