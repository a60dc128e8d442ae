import type { FastifyInstance } from 'fastify';
import { withinRequest } from '#server/platform/process/request-context.ts';

/**
 * Makes the current request available in handlers. The context is entered again after the body has arrived, because the
 * body's stream events lose it.
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
