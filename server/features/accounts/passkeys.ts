import type { z } from 'zod';
import { createProblem } from '#contract/errors.ts';
import { maxPasskeyNameLength, maxPasskeys } from '#contract/passkeys.ts';
import { normalizeLine } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import type { RequestDevice, Session } from '#server/platform/process/request-context.ts';
import { lockAccount } from './account-repository.ts';
import { getAccount } from './own-account.ts';
import {
  checkPasskey,
  notePasskeyRefusal,
  passkeyChallengeLifetimeSeconds,
  startPasskeyCeremony,
  takePasskeyChallenge,
  toUserHandle,
} from './passkey-challenges.ts';
import { removePasskeysWithin } from './passkey-removal.ts';
import * as repository from './passkey-repository.ts';
import {
  getSite,
  loadWebauthn,
  type newCredentialSchema,
  signatureAlgorithms,
  verifyNewCredential,
} from './passkey-verification.ts';
import { assertMayChangeFactors } from './reauthentication.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';

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
  return startPasskeyCeremony(app, sessionId, (challenge) =>
    generateRegistrationOptions({
      rpName: app.config.campus.siteName,
      rpID: getSite(app).id,
      userID: new Uint8Array(toUserHandle(userId)),
      userName: account.email,
      userDisplayName: account.full_name ?? account.email,
      challenge,
      timeout: passkeyChallengeLifetimeSeconds * 1000,
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
  const challenge = await takePasskeyChallenge(app, challengeId, session);
  const created = await checkPasskey(app, userId, () => verifyNewCredential(app, challenge, credential));
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
  await notePasskeyRefusal(app, 'existing passkey', userId);
  throw createProblem('passkey_exists');
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
