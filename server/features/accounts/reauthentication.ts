import { accountErrorMessages } from '#contract/accounts.ts';
import { createProblem, type ErrorCode } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { findIdentityOwner } from './identity-repository.ts';
import { checkEnteredProof, type EnteredProof } from './log-in.ts';
import type { LoginAttempt } from './login-throttle.ts';
import { getAccount } from './own-account.ts';
import {
  findLastAuthentication,
  findSession,
  lacksConsoleFactor,
  setReauthenticated,
} from './session-repository.ts';
import { reissueTokens, type SessionTokens } from './sessions.ts';
import type { ProviderIdentity } from './sign-on-provider.ts';
import { assertOtherLogInAllowed, signOnMethod } from './sign-on-rule.ts';

// A recent proof of identity is required for changes with which somebody who stole a session could take over the account
// permanently.

/** How long after a log-in, or after the password, a code or a passkey was used again, a person may change how they log in. */
const recentSeconds = 10 * 60;

const isRecent = ({ clock }: App, at: Date): boolean => addSeconds(at, recentSeconds) > clock.now();

/** Returns whether the person has logged in, or used their password, a code or a passkey, within the last `recentSeconds`. */
export const hasRecentProof = async (
  app: App,
  { sessionId }: Pick<Session, 'sessionId'>,
): Promise<boolean> => {
  // A thief of the browser can log in by the university's sign-on again without credentials, so only the time counts at which
  // the provider says that they were entered.
  const at = await findLastAuthentication(app.sql, sessionId, signOnMethod);
  if (at === undefined) throw createProblem('not_authenticated');
  return at !== null && isRecent(app, at);
};

/** Throws reauthentication_needed if `hasRecentProof` returns false. */
export const assertRecentProof = async (app: App, session: Session): Promise<void> => {
  if (!(await hasRecentProof(app, session)))
    throw createProblem('reauthentication_needed', { sentence: accountErrorMessages.confirmIdentity });
};

/**
 * Throws reauthentication_needed like `assertRecentProof`, before a second factor or the sign-on is added or removed. Throws
 * second_factor_required when somebody with a role in the console has passkeys and logged in without one: a password alone
 * must not lead to the console.
 */
export const assertMayChangeFactors = async (app: App, session: Session): Promise<void> => {
  if (await lacksConsoleFactor(app.sql, session.sessionId)) throw createProblem('second_factor_required');
  await assertRecentProof(app, session);
};

/**
 * Records that the owner of a session has authenticated again, with the password or an emailed code. Throws when it is wrong,
 * and sign_on_required where only the university's sign-on proves who the person is.
 */
export const reauthenticate = async (
  app: App,
  { userId, sessionId }: Session,
  client: Omit<LoginAttempt, 'email'>,
  entered: EnteredProof,
): Promise<void> => {
  const account = await getAccount(app, userId);
  assertOtherLogInAllowed(app, account.email);
  await checkEnteredProof(app, account, client, entered);
  await setReauthenticated(app.sql, sessionId, app.clock.now());
};

/**
 * Records that the owner of a session has entered their credentials at the university, and returns new tokens for the session.
 * Throws sign_on_other_person when it was somebody else, and sign_on_not_proved when the university does not say that they were
 * entered lately.
 */
export const reauthenticateBySignOn = async (
  app: App,
  sessionId: string,
  identity: ProviderIdentity,
): Promise<SessionTokens> => {
  const session = await findSession(app.sql, sessionId);
  if (!session) throw createProblem('not_authenticated');
  const { user_id: userId } = session;
  const refuse = async (code: ErrorCode, detail: string): Promise<never> => {
    await noteSecurityEvent(app, { event: 'sign_on_refused', userId, detail });
    throw createProblem(code);
  };
  if ((await findIdentityOwner(app.sql, identity)) !== userId)
    return refuse('sign_on_other_person', 'other person');
  const { authenticatedAt } = identity;
  if (!authenticatedAt || !isRecent(app, authenticatedAt))
    return refuse('sign_on_not_proved', authenticatedAt ? 'old auth_time' : 'no auth_time');
  await setReauthenticated(app.sql, sessionId, authenticatedAt);
  return reissueTokens(app, sessionId);
};
