import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const checkIntervalMs = 50;
/**
 * How long, in ms, a connection that has not sent a request stays open after the server has started
 * to close.
 */
const firstRequestTimeoutMs = 500;

interface ConnectionState {
  /** Number of requests whose response is not complete yet. */
  pendingRequests: number;
  hasSentNothing: boolean;
}

/**
 * Makes a closing server end each connection as soon as its last response is sent, but wait briefly
 * for the first request on connections that were just accepted. Node's own `closeIdleConnections`
 * closes such new connections immediately, so that some requests would fail at every restart. Node
 * also calls `closeIdleConnections` only once, so that a connection that is busy at that moment
 * would stay open for over a minute.
 */
export const installGracefulClose = (app: FastifyInstance): void => {
  const { server } = app;
  const connections = new Map<Socket, ConnectionState>();
  let timer: NodeJS.Timeout | undefined;
  let closingSince: number | undefined;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { pendingRequests: 0, hasSentNothing: true });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (!connection) return;
    connection.hasSentNothing = false;
    connection.pendingRequests += 1;
    response.once('close', () => {
      connection.pendingRequests -= 1;
    });
  });
  // The realtime server closes upgraded connections (WebSockets) itself.
  server.on('upgrade', ({ socket }: IncomingMessage) => connections.delete(socket));

  server.closeIdleConnections = () => {
    closingSince ??= performance.now();
    const mayStillSend = performance.now() - closingSince < firstRequestTimeoutMs;
    for (const [socket, { pendingRequests, hasSentNothing }] of connections) {
      if (pendingRequests === 0 && !(hasSentNothing && mayStillSend)) socket.destroySoon();
    }
  };
  app.addHook('preClose', async () => {
    timer = setInterval(() => server.closeIdleConnections(), checkIntervalMs);
  });
  app.addHook('onClose', async () => clearInterval(timer));
};
