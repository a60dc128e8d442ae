import type { FastifyInstance } from 'fastify';

/**
 * Registers the parser for JSON bodies. It refuses the key `__proto__`, which could modify an object's prototype. An
 * empty body counts as no body, because some clients send a JSON content type even with requests that have no body.
 */
export const installJsonBodyParser = (server: FastifyInstance): void => {
  const parseJson = server.getDefaultJsonParser('error', 'ignore');
  server.removeContentTypeParser(['application/json', 'text/plain']);
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') return done(null, undefined);
    return parseJson(request, body, done);
  });
};
