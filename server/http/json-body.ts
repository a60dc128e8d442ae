import type { FastifyInstance } from 'fastify';
import { problem } from '#contract/errors.ts';

// Keys that would modify an object's prototype are refused.
const parse = (text: string): unknown =>
  JSON.parse(text, (key, value) => {
    if (key === '__proto__') throw problem('malformed_request');
    return value;
  });

/** Parses JSON bodies. An empty body counts as none, since clients send the content type anyway. */
export const installJsonBody = (app: FastifyInstance): void => {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body);
    if (text.trim() === '') return done(null, undefined);
    try {
      return done(null, parse(text));
    } catch {
      return done(problem('malformed_request'));
    }
  });
};
