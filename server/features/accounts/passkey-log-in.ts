import type { z } from 'zod';
import { isSignOnRequired } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { otherAccountSentence } from '#contract/passkeys.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { findAccount } from './account-repository.ts';
import { rememberDevice } from './devices.ts';
import { assertNotSuspended } from './log-in.ts';
import type { LoginAttempt } from './login-throttle.ts';
import {
  checkPasskey,
  notePasskeyRefusal,
  passkeyChallengeLifetimeSeconds,
  startPasskeyCeremony,
  takePasskeyChallenge,
  toUserHandle,
} from './passkey-challenges.ts';
import * as repository from './passkey-repository.ts';
import {
  getSite,
  loadWebauthn,
  RefusedPasskey,
  type usedCredentialSchema,
  verifyUsedCredential,
} from './passkey-verification.ts';
import { setReauthenticated } from './session-repository.ts';
import { beginSessionWithin, passSecondFactorCheck, type SessionTokens } from './sessions.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';

// Log-ins by passkey (WebAuthn). The authenticator verifies the person, by fingerprint, face or PIN, so such a log-in counts as
// both factors. In an open session, a passkey is the second factor, and proves who the person is.

/** The method of these log-ins in sessions, tokens and the audit trail. */
const passkeyMethod = 'passkey';
/** The method of the second factor that they prove, as in GoTrue. */
const personVerifiedMethod = 'mfa/webauthn';

/** Begins a log-in. The person chooses the passkey, and with it the account, so nobody learns who has an account. */
export const startPasskeyLogIn = async (app: App, address: string) => {
  await app.limits.consume('passkey', { address });
  const { generateAuthenticationOptions } = await loadWebauthn();
  return startPasskeyCeremony(app, null, (challenge) =>
    generateAuthenticationOptions({
      rpID: getSite(app).id,
      challenge,
      timeout: passkeyChallengeLifetimeSeconds * 1000,
      userVerification: 'required',
    }),
  );
};

interface PasskeyResponse {
  challengeId: string;
  credential: z.output<typeof usedCredentialSchema>;
}

/**
 * Checks the response of an authenticator to the challenge of a log-in, and returns the passkey's account. With `ownerId` only a
 * passkey of this person is accepted. `usePasskey` acts in the transaction that records the use; it throws passkey_refused when
 * the passkey was removed or used in the meantime.
 */
const verifyPasskey = async (app: App, { challengeId, credential }: PasskeyResponse, ownerId?: string) => {
  const challenge = await takePasskeyChallenge(app, challengeId, {
    sessionId: null,
    ...(ownerId !== undefined && { userId: ownerId }),
  });
  const stored = await repository.findPasskeyByCredential(app.sql, Buffer.from(credential.id, 'base64url'));
  const account = stored && (await findAccount(app.sql, stored.user_id));
  if (!account) {
    await notePasskeyRefusal(app, 'unknown passkey', ownerId);
    throw createProblem('passkey_unknown');
  }
  const { id: userId } = account;
  if (ownerId !== undefined && ownerId !== userId) {
    await notePasskeyRefusal(app, 'wrong person', ownerId);
    throw createProblem('passkey_refused', { sentence: otherAccountSentence });
  }
  const counter = await checkPasskey(app, userId, async () => {
    const { userHandle } = credential.response;
    if (userHandle !== toUserHandle(userId).toString('base64url')) throw new RefusedPasskey('wrong person');
    return verifyUsedCredential(app, challenge, credential, stored);
  });
  const usePasskey = <Result>(act: (tx: Transaction) => Promise<Result>): Promise<Result> =>
    checkPasskey(app, userId, () =>
      runInTransaction(app.sql, async (tx) => {
        const use = { id: stored.id, counter, now: app.clock.now() };
        if (!(await repository.recordPasskeyUse(tx, use))) throw new RefusedPasskey('old counter');
        return act(tx);
      }),
    );
  return { account, usePasskey };
};

/**
 * Starts a session with the response of an authenticator. Throws passkey_challenge_expired, passkey_unknown,
 * passkey_refused, sign_on_required or account_suspended.
 */
export const finishPasskeyLogIn = async (
  app: App,
  response: PasskeyResponse,
  { address, device }: Omit<LoginAttempt, 'email'>,
): Promise<SessionTokens> => {
  await app.limits.consume('passkey', { address });
  const { account, usePasskey } = await verifyPasskey(app, response);
  assertOtherLogInAllowed(app, account.email);
  await assertNotSuspended(app, account);
  await app.limits.consume('log_in', { about: account.email, address });
  const issueTokens = await usePasskey((tx) =>
    beginSessionWithin(app, tx, account, passkeyMethod, device, personVerifiedMethod),
  );
  await rememberDevice(app, device, account.id);
  return issueTokens();
};

/**
 * Accepts a passkey of the session's owner as second factor of the session and, unless the sign-on is required, as a recent proof
 * of identity. Returns new tokens for the session. The challenge is that of a log-in: with it and the response, the person could
 * log in as well. Throws passkey_challenge_expired, passkey_unknown or passkey_refused.
 */
export const provePasskey = async (
  app: App,
  session: Session,
  response: PasskeyResponse,
  address: string,
): Promise<SessionTokens> => {
  await app.limits.consume('passkey', { address });
  const { userId, sessionId } = session;
  const { account, usePasskey } = await verifyPasskey(app, response, userId);
  const tokens = await usePasskey(async (tx) => {
    await noteSecurityEvent(app, { event: 'second_factor_proved', userId, detail: 'passkey' }, tx);
    const renewed = await passSecondFactorCheck(app, tx, session, personVerifiedMethod);
    if (!isSignOnRequired(app.config.campus, account.email))
      await setReauthenticated(tx, sessionId, app.clock.now());
    return renewed;
  });
  // The next use of the session must read from the database that its second-factor check was passed.
  app.activeSessions.forget([sessionId]);
  return tokens;
};
