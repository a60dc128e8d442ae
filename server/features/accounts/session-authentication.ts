import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import type { AccessTokenService } from './access-tokens.ts';
import { findSession } from './session-repository.ts';

/** A session ends 30 days after its last use. */
export const sessionLifetimeSeconds = 30 * dayInSeconds;
/**
 * How long a session is cached after it was found active. This must be less than the 5 s within which every process
 * must refuse an ended session.
 */
const sessionCacheSeconds = 4;
const maxCachedSessions = 50_000;

/** An active session, which may still await the second-factor check. */
export interface SessionWithSecondFactorState extends Session {
  awaitsSecondFactor: boolean;
}

interface CachedSession {
  userId: string;
  isEnrolled: boolean;
  hasSecondFactor: boolean;
  /** When the session was last found active, as Unix time in milliseconds. */
  foundActiveAt: number;
}

/**
 * Creates the service that decides whether an access token belongs to an active session, and what the session may do.
 * All calls and sockets are authenticated here.
 */
export const createSessionAuthentication = ({
  sql,
  clock,
  tokens,
}: {
  sql: Sql;
  clock: Clock;
  tokens: Pick<AccessTokenService, 'verify'>;
}) => {
  const cachedSessions = new Map<string, CachedSession>();

  const findActiveSession = async (
    sessionId: string,
    isFresh: (session: CachedSession) => boolean,
  ): Promise<CachedSession | undefined> => {
    const now = clock.now().getTime();
    const cached = cachedSessions.get(sessionId);
    const age = now - (cached?.foundActiveAt ?? 0);
    if (cached && age >= 0 && age < sessionCacheSeconds * 1000 && isFresh(cached)) return cached;
    const session = await findSession(sql, sessionId);
    if (!session || addSeconds(session.last_used_at, sessionLifetimeSeconds) <= clock.now()) {
      cachedSessions.delete(sessionId);
      return undefined;
    }
    const found = {
      userId: session.user_id,
      isEnrolled: session.is_enrolled,
      hasSecondFactor: session.second_factor_at !== null,
      foundActiveAt: now,
    };
    if (cachedSessions.size >= maxCachedSessions) cachedSessions.clear();
    cachedSessions.set(sessionId, found);
    return found;
  };

  /**
   * Returns the active session of an access token, even while the session awaits the second-factor check. Use this
   * only for the few calls that such a session may make, and `authenticate` for all others.
   */
  const authenticateWithSecondFactorState = async (
    accessToken: string,
  ): Promise<SessionWithSecondFactorState | undefined> => {
    const claims = await tokens.verify(accessToken);
    if (!claims) return undefined;
    const { userId, sessionId, expiresAt } = claims;
    // If the token records a passed second-factor check but the cached session does not, the cached session is
    // outdated.
    const session = await findActiveSession(
      sessionId,
      ({ isEnrolled, hasSecondFactor }) => !isEnrolled || hasSecondFactor || !claims.hasSecondFactor,
    );
    if (session?.userId !== userId) return undefined;
    // Require that both the session and the token record the second-factor check, so that tokens issued before it was
    // passed stay restricted.
    const isProved = session.hasSecondFactor && claims.hasSecondFactor;
    return { userId, sessionId, expiresAt, awaitsSecondFactor: session.isEnrolled && !isProved };
  };

  return {
    authenticateWithSecondFactorState,

    /**
     * Returns the active session of an access token. Returns undefined when the token or its session is no longer
     * valid, or while the session awaits the second-factor check.
     */
    authenticate: async (accessToken: string): Promise<Session | undefined> => {
      const found = await authenticateWithSecondFactorState(accessToken);
      if (!found || found.awaitsSecondFactor) return undefined;
      const { userId, sessionId, expiresAt } = found;
      return { userId, sessionId, expiresAt };
    },

    forget: (ids: readonly string[]): void => {
      for (const id of ids) cachedSessions.delete(id);
    },
    forgetAll: (): void => cachedSessions.clear(),
  };
};
