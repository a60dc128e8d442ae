import { randomBytes } from 'node:crypto';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import * as repository from './passkey-repository.ts';
import { RefusedPasskey } from './passkey-verification.ts';

// What adding a passkey and using one have in common.

/** How long a person has for the request of their browser, in seconds. */
export const passkeyChallengeLifetimeSeconds = 5 * 60;

interface StartedCeremony<Options> {
  challengeId: string;
  options: Options;
  expiresAt: Date;
}

/** The id by which an authenticator knows the account: the bytes of the account's id. */
export const toUserHandle = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex');

/**
 * Stores a challenge of a session that adds a passkey, or of a log-in if `sessionId` is null, and returns its id with the
 * options for the browser.
 */
export const startPasskeyCeremony = async <Options>(
  app: App,
  sessionId: string | null,
  createOptions: (challenge: Uint8Array<ArrayBuffer>) => Promise<Options>,
): Promise<StartedCeremony<Options>> => {
  const challenge = randomBytes(32);
  const options = await createOptions(new Uint8Array(challenge));
  const expiresAt = addSeconds(app.clock.now(), passkeyChallengeLifetimeSeconds);
  const challengeId = await repository.insertChallenge(app.sql, {
    challenge,
    session_id: sessionId,
    expires_at: expiresAt,
  });
  return { challengeId, options, expiresAt };
};

/** Records in the audit trail why a passkey was refused. */
export const notePasskeyRefusal = (app: App, detail: string, userId?: string): Promise<void> =>
  noteSecurityEvent(app, { event: 'passkey_refused', userId, detail });

/**
 * Takes a challenge, which works once, and only in the session that adds a passkey, or for a log-in. Throws
 * passkey_challenge_expired; the refusal is in the audit trail.
 */
export const takePasskeyChallenge = async (
  app: App,
  id: string,
  { sessionId, userId }: { sessionId: string | null; userId?: string },
): Promise<Buffer> => {
  const challenge = await repository.takeChallenge(app.sql, { id, sessionId, now: app.clock.now() });
  if (challenge) return challenge;
  await notePasskeyRefusal(app, 'unknown challenge', userId);
  throw createProblem('passkey_challenge_expired');
};

/** Runs a check. When it throws RefusedPasskey, records the reason in the audit trail, and throws passkey_refused. */
export const checkPasskey = async <Result>(
  app: App,
  userId: string,
  verify: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof RefusedPasskey)) throw error;
    app.log.info({ err: error }, 'passkey refused');
    await notePasskeyRefusal(app, error.message, userId);
    throw createProblem('passkey_refused');
  }
};
