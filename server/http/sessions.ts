import type { FastifyRequest } from 'fastify';
import { problem } from '#contract/errors.ts';

/** A signed-in person, as guarded handlers receive it. */
export interface Session {
  userId: string;
  sessionId: string;
  /** When the access token expires. */
  expiresAt: Date;
}

/** Returns the active session of an access token, or undefined when the token is no longer valid. */
export type Authenticate = (accessToken: string) => Promise<Session | undefined>;

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
