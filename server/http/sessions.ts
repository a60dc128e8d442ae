import type { FastifyRequest } from 'fastify';
import { problem } from '#contract/errors.ts';

/** A signed-in person, as every guarded handler receives it. */
export interface Session {
  userId: string;
  sessionId: string;
  /** When the access token ends. */
  expiresAt: Date;
}

/** Answers the living session of an access token, or undefined when the token is not good (any more). */
export type Authenticate = (accessToken: string) => Promise<Session | undefined>;

/** The bearer token of a request; undefined when there is none. */
export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];

/** The session of a request; undefined where there is none, whatever its token says. */
export const findSession = async (
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Session | undefined> => {
  const token = bearerToken(request);
  return token === undefined ? undefined : authenticate(token);
};

/** The same; refuses with 401 where there is none. */
export const requireSession = async (
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Session> => {
  const session = await findSession(request, authenticate);
  if (!session) throw problem('not_authenticated');
  return session;
};
