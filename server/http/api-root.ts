import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Campus } from '#contract/campus.ts';
import { problem } from '#contract/errors.ts';
import { replyProblem } from './error-replies.ts';

const prefixes = ['/functions/v1', '/rest/v1', '/storage/v1', '/auth/v1', '/realtime/v1'];

/** Returns whether a path starts with an API prefix, where unknown paths get JSON instead of a page. */
export const isApiPath = (path: string): boolean =>
  prefixes.some(
    (prefix) => path === prefix || path.startsWith(`${prefix}/`) || path.startsWith(`${prefix}?`),
  );

type Elsewhere = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Responds to unknown paths below the API prefixes with a 404 in the error format; passes others to `elsewhere`. */
export const installNotFound = (app: FastifyInstance, campus: Campus, elsewhere?: Elsewhere): void => {
  app.setNotFoundHandler((request, reply) =>
    elsewhere && !isApiPath(request.url)
      ? elsewhere(request, reply)
      : replyProblem(reply, problem('not_found'), campus),
  );
};
