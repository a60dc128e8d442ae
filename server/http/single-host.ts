import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createProblem } from '#contract/errors.ts';

/**
 * Returns whether a request has more than one Host header. Node uses the first and drops the others, so a proxy
 * that uses another one would disagree with this server about the requested host (RFC 9112, section 3.2).
 */
export const hasMultipleHostHeaders = ({ rawHeaders }: IncomingMessage): boolean => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
};

/** Refuses requests with more than one Host header and closes their connection. */
export const installSingleHostCheck = (server: FastifyInstance): void => {
  server.addHook('onRequest', ({ raw }, reply, done) => {
    if (!hasMultipleHostHeaders(raw)) return done();
    reply.header('connection', 'close');
    done(createProblem('malformed_request'));
  });
};
