import type { FastifyInstance } from 'fastify';
import { problem } from '#contract/errors.ts';

// A body is data: keys that would reach into an object's prototype are refused, not stored.
const parse = (text: string): unknown =>
  JSON.parse(text, (key, value) => {
    if (key === '__proto__') throw problem('malformed_request');
    return value;
  });

/** Reads JSON bodies; an empty one counts as none, since clients send the content type with it all the same. */
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
