import type { FastifyInstance } from 'fastify';

const lookEveryMs = 50;

/**
 * Lets a closing server go as soon as its last answer is sent. Connections that are idle when it begins to close are
 * closed by Node; one that was busy then would be kept for the client's next request, for over a minute.
 */
export const installClosing = (app: FastifyInstance): void => {
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    timer = setInterval(() => app.server.closeIdleConnections(), lookEveryMs);
  });
  app.addHook('onClose', async () => clearInterval(timer));
};
