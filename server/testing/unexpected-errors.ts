import type { FastifyInstance } from 'fastify';
import { toProblem } from '#server/http/error-replies.ts';

/**
 * Prints the causes of responses with status 500, which the application's own log would contain: tests run without it.
 * Call it before the application is ready.
 */
export const printUnexpectedErrors = (server: FastifyInstance): void => {
  server.addHook('onError', async ({ method, url }, _reply, error) => {
    if (toProblem(error).code === 'internal') console.warn(`${method} ${url} failed:`, error);
  });
};
