import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Campus } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { sendProblem } from './error-replies.ts';

const apiPrefixes = ['/functions/v1', '/rest/v1', '/storage/v1', '/auth/v1', '/realtime/v1'];

/**
 * Returns whether a path starts with an API prefix. Unknown paths under these prefixes get a JSON
 * error instead of a page.
 */
export const isApiPath = (path: string): boolean =>
  apiPrefixes.some(
    (prefix) => path === prefix || path.startsWith(`${prefix}/`) || path.startsWith(`${prefix}?`),
  );

type FallbackHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Responds to unknown paths under the API prefixes with a 404 in the error format; passes other paths to `fallback`.
 */
export const installNotFoundHandler = (
  server: FastifyInstance,
  campus: Campus,
  fallback?: FallbackHandler,
): void => {
  server.setNotFoundHandler((request, reply) =>
    fallback && !isApiPath(request.url)
      ? fallback(request, reply)
      : sendProblem(reply, createProblem('not_found'), campus),
  );
};
