import type { FastifyInstance } from 'fastify';
import { withinRequest } from '#server/platform/process/request-context.ts';

/**
 * Makes the context of the current request available in handlers. It is set in a preHandler hook, after the body was
 * received, because it would be lost in the stream events of the body.
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
