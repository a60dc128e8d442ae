import { createHash, randomBytes } from 'node:crypto';
import { accessTokenSeconds } from '#contract/accounts.ts';
import { problem } from '#contract/errors.ts';
import type { Audit } from '#server/audit/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { hashToken, randomToken } from '#server/platform/secrets.ts';
import type { AccessTokens } from './access-tokens.ts';
import { type Account, findAccount } from './account-repository.ts';
import {
  deleteSession,
  deleteSessionsOf,
  findRefreshTokenOwner,
  findSession,
  insertSession,
  listEndedSessions,
  lockRefreshToken,
  rotateRefreshToken,
  type SessionRow,
} from './session-repository.ts';

/** Rulings: a session lives 30 days from its last use. */
const sessionSeconds = 30 * 24 * 3600;
/** How long a rotated refresh token is still accepted, for parallel callers and lost responses. */
const graceSeconds = 10;
/** How long an active session is cached, so that ended ones are refused everywhere within 5 s. */
const cacheSeconds = 4;
const maxCachedSessions = 50_000;

/** The tokens of a session, as the browser stores them. */
export interface Grant {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  /** In seconds since 1970. */
  expiresAt: number;
  account: Account;
}

interface SessionsDeps {
  audit: Pick<Audit, 'note'>;
  sql: Sql;
  clock: Clock;
  bus: Bus;
  tokens: AccessTokens;
}

/**
 * Publishes the end of a person's sessions, which ends their caches and sockets in all processes. Call it after the
 * transaction that deleted the sessions; does nothing without session ids.
 */
export const publishSessionEnd = async (
  bus: Pick<Bus, 'publish'>,
  userId: string,
  sessionIds: string[],
): Promise<void> => {
  if (sessionIds.length === 0) return;
  await bus.publish({ kind: 'sessions_ended', user_id: userId, session_ids: sessionIds });
};

// Deterministic: only a holder of the old token can compute the new one, and always gets the same one.
const successorOf = (token: string, salt: Buffer): string =>
  createHash('sha256').update(salt).update(token).digest('base64url');

export const createSessions = ({ sql, clock, bus, tokens, audit }: SessionsDeps) => {
  /** By session id: its user, and when it was last found active. */
  const cachedSessions = new Map<string, { userId: string; at: number }>();
  const grant = async (
    account: Account,
    sessionId: string,
    method: string,
    refreshToken: string,
  ): Promise<Grant> => {
    const { token, expiresAt } = await tokens.sign({
      userId: account.id,
      sessionId,
      email: account.email,
      method,
    });
    return { accessToken: token, refreshToken, expiresIn: accessTokenSeconds, expiresAt, account };
  };

  const isAlive = (session: SessionRow): boolean =>
    secondsAfter(session.last_used_at, sessionSeconds) > clock.now();

  return {
    /** Starts a session. */
    begin: async (account: Account, method: string): Promise<Grant> => {
      const refreshToken = randomToken();
      const sessionId = await insertSession(sql, {
        userId: account.id,
        method,
        tokenHash: hashToken(refreshToken),
        salt: randomBytes(16),
        now: clock.now(),
      });
      if (sessionId === undefined) throw problem('account_suspended');
      await audit.note({ event: 'signed_in', userId: account.id, detail: method });
      return grant(account, sessionId, method, refreshToken);
    },

    /** Returns the owner of a refresh token; undefined for an unknown one. */
    findOwner: (refreshToken: string): Promise<string | undefined> =>
      findRefreshTokenOwner(sql, hashToken(refreshToken)),

    /**
     * Exchanges a refresh token for its successor. The same token within 10 s gets the same successor; later it counts as
     * stolen and the whole session ends.
     */
    refresh: async (refreshToken: string): Promise<Grant> => {
      const now = clock.now();
      const oldHash = hashToken(refreshToken);
      const outcome = await sql.begin(async (tx) => {
        const presented = await lockRefreshToken(tx, oldHash);
        if (!presented) return { refused: 'unknown' as const, ended: undefined };
        const { session_id: sessionId, user_id: userId } = presented;
        const expired = secondsAfter(presented.last_used_at, sessionSeconds) <= now;
        const replayed =
          presented.replaced_at !== null && secondsAfter(presented.replaced_at, graceSeconds) < now;
        const account = await findAccount(tx, userId);
        if (expired || replayed || !account) {
          await deleteSession(tx, sessionId);
          if (replayed) await audit.note({ event: 'refresh_token_replayed', userId }, tx);
          return {
            refused: expired ? ('expired' as const) : ('replayed' as const),
            ended: { userId, sessionId },
          };
        }
        const successor = successorOf(refreshToken, presented.successor_salt);
        if (presented.replaced_at === null) {
          const salt = randomBytes(16);
          await rotateRefreshToken(tx, { sessionId, oldHash, newHash: hashToken(successor), salt, now });
        }
        return { account, sessionId, method: presented.method, successor };
      });
      if ('refused' in outcome) {
        if (outcome.ended) await publishSessionEnd(bus, outcome.ended.userId, [outcome.ended.sessionId]);
        throw problem(outcome.refused === 'replayed' ? 'refresh_token_replayed' : 'refresh_token_unknown');
      }
      return grant(outcome.account, outcome.sessionId, outcome.method, outcome.successor);
    },

    /** Returns the active session of an access token; undefined when the token or the session is no longer valid. */
    authenticate: async (accessToken: string): Promise<Session | undefined> => {
      const claims = await tokens.verify(accessToken);
      if (!claims) return undefined;
      const { userId, sessionId, expiresAt } = claims;
      const now = clock.now().getTime();
      let seen = cachedSessions.get(sessionId);
      if (!seen || now - seen.at >= cacheSeconds * 1000 || now < seen.at) {
        const session = await findSession(sql, sessionId);
        if (!session || !isAlive(session)) {
          cachedSessions.delete(sessionId);
          return undefined;
        }
        seen = { userId: session.user_id, at: now };
        if (cachedSessions.size >= maxCachedSessions) cachedSessions.clear();
        cachedSessions.set(sessionId, seen);
      }
      return seen.userId === userId ? { userId, sessionId, expiresAt } : undefined;
    },

    /** Returns when an active session started. */
    beganAt: async (sessionId: string): Promise<Date | undefined> =>
      (await findSession(sql, sessionId))?.created_at,

    /** Lists those of these sessions that have ended, whether or not a message announced it. */
    listEnded: (ids: readonly string[]): Promise<string[]> => listEndedSessions(sql, ids),

    /** Ends one session and closes its sockets. */
    end: async ({ userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>): Promise<void> => {
      await deleteSession(sql, sessionId);
      await audit.note({ event: 'session_ended', userId });
      await publishSessionEnd(bus, userId, [sessionId]);
    },

    /** Ends all sessions of a person, except one if given. */
    endAll: async (userId: string, except?: string): Promise<void> => {
      const ended = await deleteSessionsOf(sql, userId, except);
      await audit.note({ event: 'sessions_ended', userId });
      await publishSessionEnd(bus, userId, ended);
    },

    /** Starts to forget ended sessions as soon as they are announced; returns an unsubscribe function. */
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

export type Sessions = ReturnType<typeof createSessions>;
