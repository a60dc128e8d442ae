import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { createProblem } from '#contract/errors.ts';
import { maxPasskeyNameLength, maxPasskeys } from '#contract/passkeys.ts';
import { normalizeLine } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import type { RequestDevice, Session } from '#server/platform/process/request-context.ts';
import { findAccount, lockAccount } from './account-repository.ts';
import { rememberDevice } from './devices.ts';
import { assertNotSuspended } from './log-in.ts';
import type { LoginAttempt } from './login-throttle.ts';
import { getAccount } from './own-account.ts';
import { removePasskeysWithin } from './passkey-removal.ts';
import * as repository from './passkey-repository.ts';
import {
  getSite,
  loadWebauthn,
  type newCredentialSchema,
  RefusedPasskey,
  signatureAlgorithms,
  type usedCredentialSchema,
  verifyNewCredential,
  verifyUsedCredential,
} from './passkey-verification.ts';
import { assertMayChangeFactors } from './reauthentication.ts';
import { beginSessionWithin, type SessionTokens } from './sessions.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';

// Log-ins by passkey (WebAuthn). The authenticator verifies the person, by fingerprint, face or PIN, so such a log-in counts as
// both factors.

const challengeLifetimeSeconds = 5 * 60;
/** The method of these log-ins in sessions, tokens and the audit trail. */
const passkeyMethod = 'passkey';
/** The method of the second factor that they prove, as in GoTrue. */
const personVerifiedMethod = 'mfa/webauthn';

interface StartedCeremony<Options> {
  challengeId: string;
  options: Options;
  expiresAt: Date;
}

/** The id by which an authenticator knows the account: the bytes of the account's id. */
const toUserHandle = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex');

const start = async <Options>(
  app: App,
  sessionId: string | null,
  createOptions: (challenge: Uint8Array<ArrayBuffer>) => Promise<Options>,
): Promise<StartedCeremony<Options>> => {
  const challenge = randomBytes(32);
  const options = await createOptions(new Uint8Array(challenge));
  const expiresAt = addSeconds(app.clock.now(), challengeLifetimeSeconds);
  const challengeId = await repository.insertChallenge(app.sql, {
    challenge,
    session_id: sessionId,
    expires_at: expiresAt,
  });
  return { challengeId, options, expiresAt };
};

const noteRefusal = (app: App, detail: string, userId?: string): Promise<void> =>
  noteSecurityEvent(app, { event: 'passkey_refused', userId, detail });

const takeChallenge = async (
  app: App,
  id: string,
  { sessionId, userId }: { sessionId: string | null; userId?: string },
): Promise<Buffer> => {
  const challenge = await repository.takeChallenge(app.sql, { id, sessionId, now: app.clock.now() });
  if (challenge) return challenge;
  await noteRefusal(app, 'unknown challenge', userId);
  throw createProblem('passkey_challenge_expired');
};

/** Runs a check. Records its refusal in the audit trail, and throws passkey_refused then. */
const check = async <Result>(app: App, userId: string, verify: () => Promise<Result>): Promise<Result> => {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof RefusedPasskey)) throw error;
    app.log.info({ err: error }, 'passkey refused');
    await noteRefusal(app, error.message, userId);
    throw createProblem('passkey_refused');
  }
};

/**
 * Begins to add a passkey. Throws reauthentication_needed unless the person has authenticated recently, sign_on_required
 * when they can log in only by the university's sign-on, and too_many_passkeys.
 */
export const startPasskeyRegistration = async (app: App, session: Session) => {
  const { userId, sessionId } = session;
  const account = await getAccount(app, userId);
  assertOtherLogInAllowed(app, account.email);
  await assertMayChangeFactors(app, session);
  const credentials = await repository.listCredentials(app.sql, userId);
  if (credentials.length >= maxPasskeys) throw createProblem('too_many_passkeys');
  const { generateRegistrationOptions } = await loadWebauthn();
  return start(app, sessionId, (challenge) =>
    generateRegistrationOptions({
      rpName: app.config.campus.siteName,
      rpID: getSite(app).id,
      userID: new Uint8Array(toUserHandle(userId)),
      userName: account.email,
      userDisplayName: account.full_name ?? account.email,
      challenge,
      timeout: challengeLifetimeSeconds * 1000,
      attestationType: 'none',
      supportedAlgorithmIDs: signatureAlgorithms,
      excludeCredentials: credentials.map(({ credential_id: id, transports }) => ({
        id: id.toString('base64url'),
        transports,
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    }),
  );
};

/**
 * Adds the passkey that the authenticator has created, and tells the person. Throws passkey_challenge_expired,
 * passkey_refused, passkey_exists or too_many_passkeys.
 */
export const finishPasskeyRegistration = async (
  app: App,
  session: Session,
  { challengeId, credential }: { challengeId: string; credential: z.output<typeof newCredentialSchema> },
  device: Pick<RequestDevice, 'name'>,
): Promise<repository.PasskeyRow> => {
  const { userId } = session;
  assertOtherLogInAllowed(app, (await getAccount(app, userId)).email);
  const challenge = await takeChallenge(app, challengeId, session);
  const created = await check(app, userId, () => verifyNewCredential(app, challenge, credential));
  const now = app.clock.now();
  const added = await runInTransaction(app.sql, async (tx) => {
    await lockAccount(tx, userId);
    if ((await repository.countPasskeys(tx, userId)) >= maxPasskeys) throw createProblem('too_many_passkeys');
    const passkey = await repository.insertPasskey(tx, {
      user_id: userId,
      credential_id: created.id,
      public_key: created.publicKey,
      counter: created.counter,
      transports: credential.response.transports ?? [],
      name: normalizeLine(device.name).slice(0, maxPasskeyNameLength),
      created_at: now,
    });
    if (!passkey) return undefined;
    await noteSecurityEvent(app, { event: 'passkey_added', userId }, tx);
    const facts = { at: now.toISOString(), name: passkey.name };
    await notify(app, tx, 'passkey_added', [{ subjectId: null, facts, userIds: [userId] }]);
    return passkey;
  });
  if (added) return added;
  await noteRefusal(app, 'existing passkey', userId);
  throw createProblem('passkey_exists');
};

/** Begins a log-in. The person chooses the passkey, and with it the account, so nobody learns who has an account. */
export const startPasskeyLogIn = async (app: App, address: string) => {
  await app.limits.consume('passkey', { address });
  const { generateAuthenticationOptions } = await loadWebauthn();
  return start(app, null, (challenge) =>
    generateAuthenticationOptions({
      rpID: getSite(app).id,
      challenge,
      timeout: challengeLifetimeSeconds * 1000,
      userVerification: 'required',
    }),
  );
};

/**
 * Starts a session with the response of an authenticator. Throws passkey_challenge_expired, passkey_unknown,
 * passkey_refused, sign_on_required or account_suspended.
 */
export const finishPasskeyLogIn = async (
  app: App,
  { challengeId, credential }: { challengeId: string; credential: z.output<typeof usedCredentialSchema> },
  { address, device }: Omit<LoginAttempt, 'email'>,
): Promise<SessionTokens> => {
  await app.limits.consume('passkey', { address });
  const challenge = await takeChallenge(app, challengeId, { sessionId: null });
  const stored = await repository.findPasskeyByCredential(app.sql, Buffer.from(credential.id, 'base64url'));
  const account = stored && (await findAccount(app.sql, stored.user_id));
  if (!account) {
    await noteRefusal(app, 'unknown passkey');
    throw createProblem('passkey_unknown');
  }
  const { id: userId } = account;
  const counter = await check(app, userId, async () => {
    const { userHandle } = credential.response;
    if (userHandle !== toUserHandle(userId).toString('base64url')) throw new RefusedPasskey('wrong person');
    return verifyUsedCredential(app, challenge, credential, stored);
  });
  assertOtherLogInAllowed(app, account.email);
  await assertNotSuspended(app, account);
  await app.limits.consume('log_in', { about: account.email, address });
  const issueTokens = await runInTransaction(app.sql, async (tx) => {
    const now = app.clock.now();
    if (!(await repository.recordPasskeyUse(tx, { id: stored.id, counter, now }))) return undefined;
    return beginSessionWithin(app, tx, account, passkeyMethod, device, personVerifiedMethod);
  });
  if (!issueTokens) {
    await noteRefusal(app, 'old counter', userId);
    throw createProblem('passkey_refused');
  }
  await rememberDevice(app, device, userId);
  return issueTokens();
};

export const listOwnPasskeys = ({ sql }: App, { userId }: Session): Promise<repository.PasskeyRow[]> =>
  repository.listPasskeys(sql, userId);

export const renameOwnPasskey = async (
  { sql }: App,
  { userId }: Session,
  { id, name }: { id: string; name: string },
): Promise<repository.PasskeyRow> => {
  const passkey = await repository.renamePasskey(sql, { id, userId, name });
  if (!passkey) throw createProblem('passkey_not_found');
  return passkey;
};

/**
 * Removes a passkey of the caller. Throws reauthentication_needed unless the person has authenticated recently, and
 * passkey_not_found.
 */
export const removeOwnPasskey = async (app: App, session: Session, id: string): Promise<void> => {
  await assertMayChangeFactors(app, session);
  const isRemoved = await runInTransaction(app.sql, (tx) =>
    removePasskeysWithin(app, tx, { id, userId: session.userId }),
  );
  if (!isRemoved) throw createProblem('passkey_not_found');
};
