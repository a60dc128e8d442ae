import type { FastifyInstance } from 'fastify';

const lookEveryMs = 50;

/**
 * Lets a closing server exit as soon as its last response is sent. Node closes connections that are idle when closing
 * starts, but would keep a busy one open for the client's next request for over a minute.
 */
export const installClosing = (app: FastifyInstance): void => {
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    timer = setInterval(() => app.server.closeIdleConnections(), lookEveryMs);
  });
  app.addHook('onClose', async () => clearInterval(timer));
};
