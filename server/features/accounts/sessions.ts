import { createHash, randomBytes } from 'node:crypto';
import { accessTokenLifetimeSeconds } from '#contract/accounts.ts';
import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import type { RequestDevice, Session } from '#server/platform/process/request-context.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import type { AccessTokenService } from './access-tokens.ts';
import { type Account, findAccount } from './account-repository.ts';
import { createSessionAuthentication, sessionLifetimeSeconds } from './session-authentication.ts';
import {
  deleteSession,
  deleteUserSessions,
  findRefreshTokenOwner,
  insertSession,
  listEndedSessions,
  lockRefreshToken,
  recordSecondFactorCheck,
  rotateRefreshToken,
  type SessionRow,
} from './session-repository.ts';

/**
 * How long a rotated refresh token is still accepted, because parallel requests may have sent it or the response may
 * have been lost.
 */
const rotationGraceSeconds = 10;
/** The tokens of a session, as the browser stores them. */
export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  /** When the access token expires. */
  expiresAt: Date;
  account: Account;
  awaitsSecondFactor: boolean;
}

type StartOptions = [account: Account, method: string, device: Pick<RequestDevice, 'name'>];

interface SessionsDeps {
  audit: Pick<AuditTrail, 'note'>;
  sql: Sql;
  clock: Clock;
  bus: Bus;
  tokens: AccessTokenService;
}

/**
 * Publishes the end of a person's sessions on the bus, so that every process drops them from its cache and closes
 * their sockets. Call it after the transaction that deleted the sessions. Does nothing when `sessionIds` is empty.
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
  const authentication = createSessionAuthentication({ sql, clock, tokens });
  const createGrant = async (
    account: Account,
    session: Pick<SessionRow, 'id' | 'method' | 'created_at' | 'second_factor_at' | 'second_factor_method'>,
    refreshToken: string,
  ): Promise<SessionTokens> => {
    const { id, method, created_at, second_factor_at, second_factor_method } = session;
    const { token, expiresAt } = await tokens.sign({
      userId: account.id,
      sessionId: id,
      email: account.email,
      hasSecondFactor: second_factor_at !== null,
      proofs: [
        ...(second_factor_at ? [{ method: second_factor_method ?? 'totp', at: second_factor_at }] : []),
        { method, at: created_at },
      ],
    });
    const isEnrolled = account.factors.some(
      (factor) => factor.factor_type === 'totp' && factor.status === 'verified',
    );
    return {
      accessToken: token,
      refreshToken,
      expiresIn: accessTokenLifetimeSeconds,
      expiresAt,
      account,
      awaitsSecondFactor: isEnrolled && second_factor_at === null,
    };
  };

  /**
   * Starts a session in the caller's transaction. Returns a function that issues its tokens after the commit: signing
   * may need another connection, and concurrent transactions must not wait for one another's. The function throws
   * account_suspended when the account is suspended or was deleted.
   */
  const beginWithin = async (
    within: Queryable,
    ...[account, method, { name: deviceName }]: StartOptions
  ): Promise<() => Promise<SessionTokens>> => {
    const refreshToken = generateToken();
    const now = clock.now();
    const id = await insertSession(within, {
      userId: account.id,
      method,
      deviceName,
      tokenHash: hashToken(refreshToken),
      salt: randomBytes(16),
      now,
    });
    if (id === undefined) return () => Promise.reject(createProblem('account_suspended'));
    await audit.note({ event: 'signed_in', userId: account.id, detail: method }, within);
    const session = { id, method, created_at: now, second_factor_at: null, second_factor_method: null };
    return () => createGrant(account, session, refreshToken);
  };

  /**
   * Ends all sessions of a person, except the one with the id `except`, in the caller's transaction. Returns a function
   * that publishes the end after the commit.
   */
  const endAllWithin = async (
    within: Queryable,
    userId: string,
    except?: string,
  ): Promise<() => Promise<void>> => {
    const ended = await deleteUserSessions(within, userId, except);
    await audit.note({ event: 'sessions_ended', userId }, within);
    return () => publishSessionEnd(bus, userId, ended);
  };

  return {
    /**
     * Starts a session and returns its tokens. Throws account_suspended when the account is suspended or was deleted.
     */
    begin: async (...start: StartOptions): Promise<SessionTokens> => {
      const issueTokens = await beginWithin(sql, ...start);
      return issueTokens();
    },

    beginWithin,

    /**
     * Records in a transaction that the second-factor check was passed in a session, and returns new tokens for the
     * session. Earlier tokens stop working. Throws not_authenticated when the session has ended.
     */
    addSecondFactor: async (
      tx: Queryable,
      { userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>,
      method: string,
    ): Promise<SessionTokens> => {
      const refreshToken = generateToken();
      const session = await recordSecondFactorCheck(tx, {
        sessionId,
        method,
        tokenHash: hashToken(refreshToken),
        salt: randomBytes(16),
        now: clock.now(),
      });
      const account = session && (await findAccount(tx, userId));
      if (!account) throw createProblem('not_authenticated');
      return createGrant(account, session, refreshToken);
    },

    /** Returns the owner of a refresh token, or undefined for an unknown one. */
    findOwner: (refreshToken: string): Promise<string | undefined> =>
      findRefreshTokenOwner(sql, hashToken(refreshToken)),

    /**
     * Exchanges a refresh token for its successor. The same token sent again within 10 s gets the same successor.
     * After that time, the token counts as stolen, and the whole session ends.
     */
    refresh: async (refreshToken: string): Promise<SessionTokens> => {
      const now = clock.now();
      const oldHash = hashToken(refreshToken);
      const outcome = await sql.begin(async (tx) => {
        const presented = await lockRefreshToken(tx, oldHash);
        if (!presented) return { refused: 'unknown' as const, ended: undefined };
        const { session } = presented;
        const { id: sessionId, user_id: userId } = session;
        const expired = addSeconds(session.last_used_at, sessionLifetimeSeconds) <= now;
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
        return { account, session, successor };
      });
      if ('refused' in outcome) {
        if (outcome.ended) await publishSessionEnd(bus, outcome.ended.userId, [outcome.ended.sessionId]);
        throw createProblem(
          outcome.refused === 'replayed' ? 'refresh_token_replayed' : 'refresh_token_unknown',
        );
      }
      return createGrant(outcome.account, outcome.session, outcome.successor);
    },

    authenticate: authentication.authenticate,
    authenticateWithSecondFactorState: authentication.authenticateWithSecondFactorState,

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

    endAll: async (userId: string, except?: string): Promise<void> => {
      const publish = await endAllWithin(sql, userId, except);
      await publish();
    },

    endAllWithin,

    /**
     * Removes a session from the cache after its second-factor check was passed, so that its next use reads it from
     * the database.
     */
    forget: (sessionId: string): void => authentication.forget([sessionId]),

    /** Subscribes to the bus, to drop ended sessions from the cache. Returns an unsubscribe function. */
    listen: (): (() => void) =>
      bus.subscribe(
        (announcement) => {
          if (announcement.kind !== 'sessions_ended') return;
          authentication.forget(announcement.session_ids);
        },
        () => authentication.forgetAll(),
      ),
  };
};

export type SessionService = ReturnType<typeof createSessionService>;
