import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const lookEveryMs = 50;
/** How long an accepted connection may take for its first request while the server closes. */
const firstRequestMs = 500;

interface Connection {
  /** Requests that are being answered. */
  pending: number;
  isFresh: boolean;
}

/**
 * Makes a closing server end each connection as soon as its last response is sent, and none whose first request is
 * still on its way. Node's own `closeIdleConnections` also ends connections that were accepted a moment ago, so that
 * some requests fail at every restart; and `close` calls it only once, so that a connection that was busy then would be
 * kept for over a minute.
 */
export const installClosing = (app: FastifyInstance): void => {
  const { server } = app;
  const connections = new Map<Socket, Connection>();
  let timer: NodeJS.Timeout | undefined;
  let closingSince: number | undefined;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { pending: 0, isFresh: true });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (!connection) return;
    connection.isFresh = false;
    connection.pending += 1;
    response.once('close', () => {
      connection.pending -= 1;
    });
  });
  // The sockets of live messages are closed by whoever serves them.
  server.on('upgrade', ({ socket }: IncomingMessage) => connections.delete(socket));

  server.closeIdleConnections = () => {
    closingSince ??= performance.now();
    const waitsForFresh = performance.now() - closingSince < firstRequestMs;
    for (const [socket, { pending, isFresh }] of connections) {
      if (pending === 0 && !(isFresh && waitsForFresh)) socket.destroySoon();
    }
  };
  app.addHook('preClose', async () => {
    timer = setInterval(() => server.closeIdleConnections(), lookEveryMs);
  });
  app.addHook('onClose', async () => clearInterval(timer));
};
