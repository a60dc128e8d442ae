import { createHash, randomBytes } from 'node:crypto';
import { accessTokenLifetimeSeconds } from '#contract/accounts.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { afterCommit, type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import type { RequestDevice, Session } from '#server/platform/process/request-context.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import { signAccessToken } from './access-tokens.ts';
import { type Account, findAccount } from './account-repository.ts';
import { sessionLifetimeSeconds } from './session-authentication.ts';
import * as repository from './session-repository.ts';

/**
 * How long a rotated refresh token is still accepted, because parallel requests may have sent it or the response may
 * have been lost.
 */
const rotationGraceSeconds = 10;

export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  /** When the access token expires. */
  expiresAt: Date;
  account: Account;
  awaitsSecondFactor: boolean;
}

/**
 * Publishes the end of a person's sessions on the bus, so that every process drops them from its cache and closes
 * their sockets. Call it after the transaction that deleted the sessions. Does nothing when `sessionIds` is empty.
 */
export const publishSessionEnd = async (
  { bus }: App,
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

const issueTokens = async (
  app: App,
  account: Account,
  session: Omit<repository.SessionRow, 'user_id' | 'last_used_at' | 'is_enrolled'>,
  refreshToken: string,
): Promise<SessionTokens> => {
  const { id, method, created_at, second_factor_at, second_factor_method } = session;
  const { token, expiresAt } = await signAccessToken(app, {
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
export const beginSessionWithin = async (
  app: App,
  tx: Queryable,
  account: Account,
  method: string,
  { name: deviceName }: Pick<RequestDevice, 'name'>,
  secondFactorMethod: string | null = null,
  authenticatedAt: Date | null = null,
): Promise<() => Promise<SessionTokens>> => {
  const refreshToken = generateToken();
  const now = app.clock.now();
  const id = await repository.insertSession(tx, {
    userId: account.id,
    method,
    deviceName,
    tokenHash: hashToken(refreshToken),
    salt: randomBytes(16),
    now,
    secondFactorMethod,
    authenticatedAt,
  });
  if (id === undefined) return () => Promise.reject(createProblem('account_suspended'));
  await noteSecurityEvent(app, { event: 'signed_in', userId: account.id, detail: method }, tx);
  const session = {
    id,
    method,
    created_at: now,
    second_factor_at: secondFactorMethod === null ? null : now,
    second_factor_method: secondFactorMethod,
  };
  return () => issueTokens(app, account, session, refreshToken);
};

/**
 * Starts a session and returns its tokens. Throws account_suspended when the account is suspended or was deleted.
 */
export const beginSession = async (
  app: App,
  account: Account,
  method: string,
  device: Pick<RequestDevice, 'name'>,
  secondFactorMethod: string | null = null,
  authenticatedAt?: Date,
): Promise<SessionTokens> => {
  const issue = await beginSessionWithin(
    app,
    app.sql,
    account,
    method,
    device,
    secondFactorMethod,
    authenticatedAt,
  );
  return issue();
};

/**
 * Issues new tokens for a session in place of its earlier ones. Throws not_authenticated when the session has ended.
 */
export const reissueTokens = async (app: App, sessionId: string): Promise<SessionTokens> => {
  const refreshToken = generateToken();
  const now = app.clock.now();
  const found = await runInTransaction(app.sql, async (tx) => {
    const token = { sessionId, tokenHash: hashToken(refreshToken), salt: randomBytes(16), now };
    const session = await repository.replaceRefreshTokens(tx, token);
    const account = session && (await findAccount(tx, session.user_id));
    return account && { session, account };
  });
  if (!found) throw createProblem('not_authenticated');
  return issueTokens(app, found.account, found.session, refreshToken);
};

/**
 * Records in a transaction that the second-factor check was passed in a session, and returns new tokens for the
 * session. Earlier tokens stop working. Throws not_authenticated when the session has ended.
 */
export const passSecondFactorCheck = async (
  app: App,
  tx: Queryable,
  { userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>,
  method: string,
): Promise<SessionTokens> => {
  const refreshToken = generateToken();
  const session = await repository.recordSecondFactorCheck(tx, {
    sessionId,
    method,
    tokenHash: hashToken(refreshToken),
    salt: randomBytes(16),
    now: app.clock.now(),
  });
  const account = session && (await findAccount(tx, userId));
  if (!account) throw createProblem('not_authenticated');
  return issueTokens(app, account, session, refreshToken);
};

/** Returns the owner of a refresh token, or undefined for an unknown one. */
export const findRefreshTokenOwner = ({ sql }: App, refreshToken: string): Promise<string | undefined> =>
  repository.findRefreshTokenOwner(sql, hashToken(refreshToken));

/** Replaces a refresh token, or ends its session if the token may not be used. Returns which of them happened. */
const rotateRefreshToken = async (app: App, tx: Queryable, refreshToken: string) => {
  const now = app.clock.now();
  const oldHash = hashToken(refreshToken);
  const presented = await repository.lockRefreshToken(tx, oldHash);
  if (!presented) return { refusal: 'refresh_token_unknown' } as const;
  const { session, replaced_at: replacedAt, successor_salt: successorSalt } = presented;
  const { id: sessionId, user_id: userId } = session;
  const expired = addSeconds(session.last_used_at, sessionLifetimeSeconds) <= now;
  const replayed = replacedAt !== null && addSeconds(replacedAt, rotationGraceSeconds) < now;
  const account = await findAccount(tx, userId);
  if (expired || replayed || !account) {
    await repository.deleteSession(tx, sessionId);
    if (replayed) await noteSecurityEvent(app, { event: 'refresh_token_replayed', userId }, tx);
    const refusal = expired ? 'refresh_token_unknown' : 'refresh_token_replayed';
    return { refusal, ended: { userId, sessionId } } as const;
  }
  const successor = deriveSuccessorToken(refreshToken, successorSalt);
  if (replacedAt === null) {
    const salt = randomBytes(16);
    await repository.rotateRefreshToken(tx, { sessionId, oldHash, newHash: hashToken(successor), salt, now });
  }
  return { account, session, successor };
};

/**
 * Exchanges a refresh token for its successor. The same token sent again within 10 s gets the same successor.
 * After that time, the token counts as stolen, and the whole session ends.
 */
export const refreshSession = async (app: App, refreshToken: string): Promise<SessionTokens> => {
  const outcome = await runInTransaction(app.sql, (tx) => rotateRefreshToken(app, tx, refreshToken));
  if ('refusal' in outcome) {
    if (outcome.ended) await publishSessionEnd(app, outcome.ended.userId, [outcome.ended.sessionId]);
    throw createProblem(outcome.refusal);
  }
  return issueTokens(app, outcome.account, outcome.session, outcome.successor);
};

/**
 * Returns those of the given sessions that have ended according to the database, including
 * sessions whose end was not received over the bus.
 */
export const listEndedSessions = ({ sql }: App, ids: readonly string[]): Promise<string[]> =>
  repository.listEndedSessions(sql, ids);

export const endSession = async (
  app: App,
  { userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>,
): Promise<void> => {
  await repository.deleteSession(app.sql, sessionId);
  await noteSecurityEvent(app, { event: 'session_ended', userId });
  await publishSessionEnd(app, userId, [sessionId]);
};

const deleteSessionsOf = async (
  app: App,
  within: Queryable,
  userId: string,
  except: string | undefined,
): Promise<string[]> => {
  const ended = await repository.deleteUserSessions(within, userId, except);
  await noteSecurityEvent(app, { event: 'sessions_ended', userId }, within);
  return ended;
};

/** Ends all sessions of a person and closes their sockets, except the session with the id `except`. */
export const endAllSessions = async (app: App, userId: string, except?: string): Promise<void> => {
  const ended = await deleteSessionsOf(app, app.sql, userId, except);
  await publishSessionEnd(app, userId, ended);
};

/**
 * Ends all sessions of a person, except the one with the id `except`, in a transaction of `runInTransaction`. Their
 * sockets are closed after the commit.
 */
export const endAllSessionsWithin = async (
  app: App,
  tx: Queryable,
  userId: string,
  except?: string,
): Promise<void> => {
  const ended = await deleteSessionsOf(app, tx, userId, except);
  afterCommit(tx, () => publishSessionEnd(app, userId, ended));
};
