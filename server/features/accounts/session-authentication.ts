import type { App } from '#server/app.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { verifyAccessToken } from './access-tokens.ts';
import type { ActiveSession } from './session-cache.ts';
import { findSession } from './session-repository.ts';

/** A session ends 30 days after its last use. */
export const sessionLifetimeSeconds = 30 * dayInSeconds;

/** An active session, which may still await the second-factor check. */
export interface SessionWithSecondFactorState extends Session {
  awaitsSecondFactor: boolean;
}

const findActiveSession = async (
  { sql, clock, activeSessions }: App,
  sessionId: string,
  isUpToDate: (session: ActiveSession) => boolean,
): Promise<ActiveSession | undefined> => {
  const now = clock.now();
  const cached = activeSessions.find(sessionId, now);
  if (cached && isUpToDate(cached)) return cached;
  const session = await findSession(sql, sessionId);
  if (!session || addSeconds(session.last_used_at, sessionLifetimeSeconds) <= clock.now()) {
    activeSessions.forget([sessionId]);
    return undefined;
  }
  const found = {
    userId: session.user_id,
    isEnrolled: session.is_enrolled,
    hasSecondFactor: session.second_factor_at !== null,
  };
  activeSessions.add(sessionId, found, now);
  return found;
};

/**
 * Returns the active session of an access token, even while the session awaits the second-factor check. Use this
 * only for the few calls that such a session may make, and `authenticate` for all others.
 */
export const authenticateWithSecondFactorState = async (
  app: App,
  accessToken: string,
): Promise<SessionWithSecondFactorState | undefined> => {
  const claims = await verifyAccessToken(app, accessToken);
  if (!claims) return undefined;
  const { userId, sessionId, expiresAt } = claims;
  // If the token records a passed second-factor check but the cached session does not, the cached session is
  // outdated.
  const session = await findActiveSession(
    app,
    sessionId,
    ({ isEnrolled, hasSecondFactor }) => !isEnrolled || hasSecondFactor || !claims.hasSecondFactor,
  );
  if (session?.userId !== userId) return undefined;
  // Require that both the session and the token record the second-factor check, so that tokens issued before it was
  // passed stay restricted.
  const isProved = session.hasSecondFactor && claims.hasSecondFactor;
  return { userId, sessionId, expiresAt, awaitsSecondFactor: session.isEnrolled && !isProved };
};

/**
 * Returns the active session of an access token. Returns undefined when the token or its session is no longer
 * valid, or while the session awaits the second-factor check. All calls and sockets are authenticated here.
 */
export const authenticate = async (app: App, accessToken: string): Promise<Session | undefined> => {
  const found = await authenticateWithSecondFactorState(app, accessToken);
  if (!found || found.awaitsSecondFactor) return undefined;
  const { userId, sessionId, expiresAt } = found;
  return { userId, sessionId, expiresAt };
};

/** Removes sessions that have ended from the cache, as long as the bus is listened to. Returns an unsubscribe function. */
export const forgetEndedSessions = ({ bus, activeSessions }: App): (() => void) =>
  bus.subscribe(
    (announcement) => {
      if (announcement.kind === 'sessions_ended') activeSessions.forget(announcement.session_ids);
    },
    () => activeSessions.forgetAll(),
  );
