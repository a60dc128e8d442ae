import type { FastifyInstance } from 'fastify';
import { problem } from '#contract/errors.ts';

// Throws for the key `__proto__`, which could modify an object's prototype.
const parseJsonSafely = (text: string): unknown =>
  JSON.parse(text, (key, value) => {
    if (key === '__proto__') throw problem('malformed_request');
    return value;
  });

/**
 * Registers the parser for JSON bodies. An empty body counts as no body, because some clients always send the content
 * type.
 */
export const installJsonBody = (app: FastifyInstance): void => {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body);
    if (text.trim() === '') return done(null, undefined);
    try {
      return done(null, parseJsonSafely(text));
    } catch {
      return done(problem('malformed_request'));
    }
  });
};
