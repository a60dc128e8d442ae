import type { FastifyRequest } from 'fastify';
import { problem } from '#contract/errors.ts';
import type { Authenticate, Session } from '#server/platform/process/request-context.ts';

/** Returns the bearer token of a request; undefined when there is none. */
export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];

/** Returns the session of a request; undefined when its token is missing or invalid. */
export const findSession = async (
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Session | undefined> => {
  const token = bearerToken(request);
  return token === undefined ? undefined : authenticate(token);
};

/** Returns the session of a request; throws 401 when there is none. */
export const requireSession = async (
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Session> => {
  const session = await findSession(request, authenticate);
  if (!session) throw problem('not_authenticated');
  return session;
};
