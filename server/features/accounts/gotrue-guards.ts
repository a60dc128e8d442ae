import type { FastifyRequest } from 'fastify';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { readBearerToken } from '#server/http/serve.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import {
  authenticateWithSecondFactorState,
  type SessionWithSecondFactorState,
} from './session-authentication.ts';

/** How the routes of /auth/v1 authenticate and limit their requests. */
export interface GotrueGuards {
  /** Returns the session of a request, even while it awaits the second-factor check. Throws when there is none. */
  requireAnySession: (request: FastifyRequest) => Promise<SessionWithSecondFactorState>;
  /**
   * Returns the session of a request. Throws when there is none, and throws second_factor_required when the session
   * awaits the second-factor check.
   */
  requireFullSession: (request: FastifyRequest) => Promise<Session>;
  /**
   * Counts a write request toward the signed-in person's rate limit. Throws rate_limited when the limit is reached.
   */
  countWrite: (request: FastifyRequest) => Promise<void>;
}

export const createGotrueGuards = (app: App): GotrueGuards => {
  const requireAnySession = async (request: FastifyRequest): Promise<SessionWithSecondFactorState> => {
    if (!request.headers.authorization) throw createProblem('no_authorization');
    const token = readBearerToken(request);
    const session = token === undefined ? undefined : await authenticateWithSecondFactorState(app, token);
    if (!session) throw createProblem('not_authenticated');
    request.session = session;
    return session;
  };
  return {
    requireAnySession,
    requireFullSession: async (request) => {
      const session = await requireAnySession(request);
      if (session.awaitsSecondFactor) throw createProblem('second_factor_required');
      return session;
    },
    countWrite: ({ ip: address, session }) =>
      app.limits.consume('write', { address, userId: session?.userId }),
  };
};
