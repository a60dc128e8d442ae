import { createHash, randomBytes } from 'node:crypto';
import { accessTokenLifetimeSeconds } from '#contract/accounts.ts';
import { createProblem } from '#contract/errors.ts';
import type { Audit } from '#server/audit/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import type { AccessTokenService } from './access-tokens.ts';
import { type Account, findAccount } from './account-repository.ts';
import {
  deleteSession,
  deleteUserSessions,
  findRefreshTokenOwner,
  findSession,
  insertSession,
  listEndedSessions,
  lockRefreshToken,
  rotateRefreshToken,
  type SessionRow,
} from './session-repository.ts';

/** A session ends 30 days after its last use. */
const sessionLifetimeSeconds = 30 * 24 * 3600;
/**
 * How long a rotated refresh token is still accepted, because parallel requests may have sent it or the response may
 * have been lost.
 */
const rotationGraceSeconds = 10;
/**
 * How long a session found active is cached; less than the 5 s within which every process must refuse an ended session.
 */
const sessionCacheSeconds = 4;
const maxCachedSessions = 50_000;

/** The tokens of a session, as the browser stores them. */
export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  /** Expiry of the access token, in seconds since 1970. */
  expiresAt: number;
  account: Account;
}

interface SessionsDeps {
  audit: Pick<Audit, 'note'>;
  sql: Sql;
  clock: Clock;
  bus: Bus;
  tokens: AccessTokenService;
}

/**
 * Publishes the end of a person's sessions on the bus, so that every process drops them from its cache and closes their
 * sockets. Call it after the transaction that deleted the sessions; does nothing without session ids.
 */
export const publishSessionEnd = async (
  bus: Pick<Bus, 'publish'>,
  userId: string,
  sessionIds: string[],
): Promise<void> => {
  if (sessionIds.length === 0) return;
  await bus.publish({ kind: 'sessions_ended', user_id: userId, session_ids: sessionIds });
};

// Derives the next refresh token. Only a holder of the old token can compute it, and repeated calls
// return the same token.
const deriveSuccessorToken = (token: string, salt: Buffer): string =>
  createHash('sha256').update(salt).update(token).digest('base64url');

export const createSessionService = ({ sql, clock, bus, tokens, audit }: SessionsDeps) => {
  /** Cached sessions by id: the user, and when the session was last found active, in milliseconds. */
  const cachedSessions = new Map<string, { userId: string; foundActiveAt: number }>();
  const createGrant = async (
    account: Account,
    sessionId: string,
    method: string,
    refreshToken: string,
  ): Promise<SessionTokens> => {
    const { token, expiresAt } = await tokens.sign({
      userId: account.id,
      sessionId,
      email: account.email,
      method,
    });
    return { accessToken: token, refreshToken, expiresIn: accessTokenLifetimeSeconds, expiresAt, account };
  };

  const isActive = (session: SessionRow): boolean =>
    addSeconds(session.last_used_at, sessionLifetimeSeconds) > clock.now();

  return {
    /** Starts a session and returns its tokens; throws account_suspended. */
    begin: async (account: Account, method: string): Promise<SessionTokens> => {
      const refreshToken = generateToken();
      const sessionId = await insertSession(sql, {
        userId: account.id,
        method,
        tokenHash: hashToken(refreshToken),
        salt: randomBytes(16),
        now: clock.now(),
      });
      if (sessionId === undefined) throw createProblem('account_suspended');
      await audit.note({ event: 'signed_in', userId: account.id, detail: method });
      return createGrant(account, sessionId, method, refreshToken);
    },

    /** Returns the owner of a refresh token; undefined for an unknown one. */
    findOwner: (refreshToken: string): Promise<string | undefined> =>
      findRefreshTokenOwner(sql, hashToken(refreshToken)),

    /**
     * Exchanges a refresh token for its successor. The same token sent again within 10 s gets the same successor; after
     * that it counts as stolen, and the whole session ends.
     */
    refresh: async (refreshToken: string): Promise<SessionTokens> => {
      const now = clock.now();
      const oldHash = hashToken(refreshToken);
      const outcome = await sql.begin(async (tx) => {
        const presented = await lockRefreshToken(tx, oldHash);
        if (!presented) return { refused: 'unknown' as const, ended: undefined };
        const { session_id: sessionId, user_id: userId } = presented;
        const expired = addSeconds(presented.last_used_at, sessionLifetimeSeconds) <= now;
        const replayed =
          presented.replaced_at !== null && addSeconds(presented.replaced_at, rotationGraceSeconds) < now;
        const account = await findAccount(tx, userId);
        if (expired || replayed || !account) {
          await deleteSession(tx, sessionId);
          if (replayed) await audit.note({ event: 'refresh_token_replayed', userId }, tx);
          return {
            refused: expired ? ('expired' as const) : ('replayed' as const),
            ended: { userId, sessionId },
          };
        }
        const successor = deriveSuccessorToken(refreshToken, presented.successor_salt);
        if (presented.replaced_at === null) {
          const salt = randomBytes(16);
          await rotateRefreshToken(tx, { sessionId, oldHash, newHash: hashToken(successor), salt, now });
        }
        return { account, sessionId, method: presented.method, successor };
      });
      if ('refused' in outcome) {
        if (outcome.ended) await publishSessionEnd(bus, outcome.ended.userId, [outcome.ended.sessionId]);
        throw createProblem(
          outcome.refused === 'replayed' ? 'refresh_token_replayed' : 'refresh_token_unknown',
        );
      }
      return createGrant(outcome.account, outcome.sessionId, outcome.method, outcome.successor);
    },

    /** Returns the active session of an access token; undefined when the token or its session is no longer valid. */
    authenticate: async (accessToken: string): Promise<Session | undefined> => {
      const claims = await tokens.verify(accessToken);
      if (!claims) return undefined;
      const { userId, sessionId, expiresAt } = claims;
      const now = clock.now().getTime();
      let cachedSession = cachedSessions.get(sessionId);
      if (
        !cachedSession ||
        now - cachedSession.foundActiveAt >= sessionCacheSeconds * 1000 ||
        now < cachedSession.foundActiveAt
      ) {
        const session = await findSession(sql, sessionId);
        if (!session || !isActive(session)) {
          cachedSessions.delete(sessionId);
          return undefined;
        }
        cachedSession = { userId: session.user_id, foundActiveAt: now };
        if (cachedSessions.size >= maxCachedSessions) cachedSessions.clear();
        cachedSessions.set(sessionId, cachedSession);
      }
      return cachedSession.userId === userId ? { userId, sessionId, expiresAt } : undefined;
    },

    /** Returns when a session started; undefined when the session has ended. */
    beganAt: async (sessionId: string): Promise<Date | undefined> =>
      (await findSession(sql, sessionId))?.created_at,

    /**
     * Returns those of the given sessions that have ended according to the database, including
     * sessions whose end was not received over the bus.
     */
    listEnded: (ids: readonly string[]): Promise<string[]> => listEndedSessions(sql, ids),

    /** Ends one session and closes its sockets. */
    end: async ({ userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>): Promise<void> => {
      await deleteSession(sql, sessionId);
      await audit.note({ event: 'session_ended', userId });
      await publishSessionEnd(bus, userId, [sessionId]);
    },

    /** Ends all sessions of a person, except the one with the id `except`. */
    endAll: async (userId: string, except?: string): Promise<void> => {
      const ended = await deleteUserSessions(sql, userId, except);
      await audit.note({ event: 'sessions_ended', userId });
      await publishSessionEnd(bus, userId, ended);
    },

    /**
     * Subscribes to the bus, to drop ended sessions from the cache; returns an unsubscribe
     * function.
     */
    listen: (): (() => void) =>
      bus.subscribe(
        (announcement) => {
          if (announcement.kind !== 'sessions_ended') return;
          for (const id of announcement.session_ids) cachedSessions.delete(id);
        },
        () => cachedSessions.clear(),
      ),
  };
};

export type SessionService = ReturnType<typeof createSessionService>;
