import type { FastifyInstance } from 'fastify';
import { withinRequest } from '#server/platform/process/request-context.ts';

/**
 * Lets every handler that changes something know its request. Entered once more after the body has arrived, since what
 * brings a body does not carry the context on.
 */
export const installRequestContext = (app: FastifyInstance): void => {
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (methods.every((method) => method === 'GET' || method === 'HEAD')) return;
    route.preHandler = [
      ({ id, ip, session }, _reply, done) =>
        withinRequest({ id, address: ip, userId: session?.userId }, done),
      ...[route.preHandler ?? []].flat(),
    ];
  });
};
