import type { FastifyInstance } from 'fastify';
import { runInRequestContext } from '#server/platform/process/request-context.ts';

/**
 * Makes the context of the current request available in the handlers of all methods except GET and HEAD. A
 * preHandler hook sets the context after the body has been received; if it were set earlier, the context
 * would be lost in the stream events of the body.
 */
export const installRequestContext = (server: FastifyInstance): void => {
  server.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (methods.every((method) => method === 'GET' || method === 'HEAD')) return;
    route.preHandler = [
      ({ id, ip, session }, _reply, done) =>
        runInRequestContext({ id, address: ip, userId: session?.userId }, done),
      ...[route.preHandler ?? []].flat(),
    ];
  });
};
