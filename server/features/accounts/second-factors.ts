import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { decrypt, derivePurposeKey, encrypt } from '#server/platform/secrets.ts';
import { findAccount, lockAccount } from './account-repository.ts';
import { countSecondFactorAttempt, refuseSecondFactorCode } from './factor-attempts.ts';
import { assertMayChangeFactors, assertRecentProof } from './reauthentication.ts';
import { removeSecondFactorsWithin } from './second-factor-removal.ts';
import {
  acceptTotpCode,
  deleteChallenge,
  deleteFactor,
  findFactor,
  hasVerifiedSecondFactor,
  isValidChallenge,
  replaceChallenge,
  type SecondFactorRow,
  startTotpEnrollment,
} from './second-factor-repository.ts';
import type { SessionWithSecondFactorState } from './session-authentication.ts';
import { deleteUserSessions } from './session-repository.ts';
import { passSecondFactorCheck, publishSessionEnd, type SessionTokens } from './sessions.ts';
import { createTotpSetup, findTotpTimeStep, type TotpSetup } from './totp.ts';

// Second factors are authenticator apps (TOTP, RFC 6238). Once an account has enrolled one, a session may do nothing until
// a code of the app has been entered in it.

const challengeLifetimeSeconds = 5 * 60;

const deriveSecretKey = ({ secrets }: App): Buffer => derivePurposeKey(secrets.pepper, 'second factors');

const decryptSecret = (app: App, sealed: string): string => {
  try {
    return decrypt(deriveSecretKey(app), sealed);
  } catch {
    // It was encrypted with another pepper, which happens when secrets.json was replaced.
    throw createProblem('second_factor_lost');
  }
};

const getFactor = async ({ sql }: App, id: string, userId: string): Promise<SecondFactorRow> => {
  const factor = await findFactor(sql, { id, userId });
  if (!factor) throw createProblem('second_factor_not_found');
  return factor;
};

/** Finishes the enrollment of an authenticator app: records it, notifies the person and ends their other sessions. */
const finishEnrollment = async (
  app: App,
  tx: Transaction,
  { userId, sessionId }: Session,
): Promise<string[]> => {
  await noteSecurityEvent(app, { event: 'second_factor_added', userId }, tx);
  const facts = { at: app.clock.now().toISOString() };
  await notify(app, tx, 'second_factor_added', [{ subjectId: null, facts, userIds: [userId] }]);
  return deleteUserSessions(tx, userId, sessionId);
};

/**
 * Begins the enrollment of an authenticator app; it has no effect until the first code of the app is verified.
 * Throws reauthentication_needed unless the person has authenticated recently.
 */
export const enrollSecondFactor = async (
  app: App,
  session: Session,
  wanted: { name: string | null; issuer: string | undefined },
): Promise<{ id: string } & TotpSetup> => {
  const { sql, clock, config } = app;
  await assertMayChangeFactors(app, session);
  const account = await findAccount(sql, session.userId);
  if (!account) throw createProblem('not_authenticated');
  // The name under which an authenticator app lists the account.
  const issuer = wanted.issuer ?? config.campus.siteName;
  const setup = createTotpSetup({ issuer, email: account.email });
  const id = await runInTransaction(sql, async (tx) => {
    await lockAccount(tx, session.userId);
    if (await hasVerifiedSecondFactor(tx, session.userId)) throw createProblem('second_factor_exists');
    return startTotpEnrollment(tx, {
      userId: session.userId,
      name: wanted.name,
      sealedSecret: encrypt(deriveSecretKey(app), setup.secret),
      now: clock.now(),
    });
  });
  return { id, ...setup };
};

/** Creates a challenge, which lets the session enter a code of the authenticator app within a few minutes. */
export const challengeSecondFactor = async (
  app: App,
  { userId, sessionId }: SessionWithSecondFactorState,
  factorId: string,
): Promise<{ id: string; expiresAt: Date }> => {
  const factor = await getFactor(app, factorId, userId);
  if (factor.kind !== 'totp') throw createProblem('second_factor_not_found');
  const now = app.clock.now();
  const id = await replaceChallenge(app.sql, { sessionId, factorId, now });
  return { id, expiresAt: addSeconds(now, challengeLifetimeSeconds) };
};

/**
 * Checks a code of the authenticator app and returns new tokens for the session. The tokens record that the
 * second-factor check was passed. Each code is accepted only once. The first accepted code finishes the enrollment
 * and ends the person's other sessions.
 */
export const verifySecondFactor = async (
  app: App,
  session: SessionWithSecondFactorState,
  attempt: { factorId: string; challengeId: string; code: string },
): Promise<SessionTokens> => {
  const { sql, clock, activeSessions } = app;
  const { userId, sessionId } = session;
  const { factorId, challengeId, code } = attempt;
  const factor = await getFactor(app, factorId, userId);
  if (factor.sealed_secret === null) throw createProblem('second_factor_not_found');
  const now = clock.now();
  const after = addSeconds(now, -challengeLifetimeSeconds);
  if (!(await isValidChallenge(sql, { id: challengeId, sessionId, factorId, after })))
    throw createProblem('second_factor_challenge_expired');
  // Decrypt before counting: a lost secret is not a wrong code, and must not lead to rate_limited.
  const secret = decryptSecret(app, factor.sealed_secret);
  await countSecondFactorAttempt(app, factorId);
  const step = findTotpTimeStep(secret, code, now);
  const result =
    step !== undefined &&
    (await runInTransaction(sql, async (tx) => {
      await lockAccount(tx, userId);
      const isFirst = (await findFactor(tx, { id: factorId, userId }))?.verified_at === null;
      if (!(await acceptTotpCode(tx, { id: factorId, step, now }))) return false;
      await deleteChallenge(tx, challengeId);
      const ended = isFirst ? await finishEnrollment(app, tx, session) : [];
      await noteSecurityEvent(app, { event: 'second_factor_proved', userId, detail: 'totp' }, tx);
      return { ended, tokens: await passSecondFactorCheck(app, tx, session, 'totp') };
    }));
  if (!result) return refuseSecondFactorCode(app, userId, 'totp');
  // The next use of the session must read from the database that its second-factor check was passed.
  activeSessions.forget([sessionId]);
  await publishSessionEnd(app, userId, result.ended);
  return result.tokens;
};

/**
 * Removes a second factor. Removing the authenticator app also removes the recovery codes, which are only a
 * substitute for it. Throws reauthentication_needed unless the person has authenticated recently.
 */
export const unenrollSecondFactor = async (app: App, session: Session, factorId: string): Promise<void> => {
  const factor = await getFactor(app, factorId, session.userId);
  await assertRecentProof(app, session);
  const ended = await runInTransaction(app.sql, async (tx) => {
    if (factor.kind === 'totp' && factor.verified_at)
      return removeSecondFactorsWithin(app, tx, session.userId, 'owner');
    await deleteFactor(tx, factorId);
    return [];
  });
  await publishSessionEnd(app, session.userId, ended);
};
