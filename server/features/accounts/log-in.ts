import { accountErrorMessages, authPasswordLifetimeSeconds } from '#contract/accounts.ts';
import { isCampusEmail, isSameMailbox } from '#contract/campus.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { formatSuspendedUntilMessage } from '#contract/suspensions.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { verifyPassword } from '#server/platform/passwords.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import { type Account, findAccount, findAccountByEmail, setSignupDevice } from './account-repository.ts';
import { ensureSignupCode, toAccountAttempt } from './code-mails.ts';
import { redeemCode, toVerificationCodeProblem } from './codes.ts';
import { confirmOwnedAccount } from './confirm.ts';
import * as credentials from './credential-repository.ts';
import { beginLoginAttempt, type LoginAttempt } from './login-throttle.ts';
import { confirmMembership } from './memberships.ts';
import { getAccount } from './own-account.ts';
import { beginSession, beginSessionWithin, type SessionTokens } from './sessions.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';
import { liftEndedSuspension } from './suspensions.ts';

// A log-in with a code or a password returns an auth password: a one-time password that the client exchanges for a
// session.

interface EnteredCode {
  code: string;
  /**
   * The password that the person chose when signing up. A client without cookies sends it together
   * with the code, to prove that the same client signed up.
   */
  password?: string | undefined;
}

interface AuthPassword {
  authPassword: string;
  /** Whether the person has not chosen a password yet. */
  passwordNeeded: boolean;
}

const noteFailure = (app: App, account: Account | undefined, method: string): Promise<void> =>
  noteSecurityEvent(app, { event: 'sign_in_failed', userId: account?.id, detail: method });

// Call this only after the client has entered the right password or proved access to the mailbox: strangers must
// not learn that an account is suspended. A suspension that has ended is lifted here, because the job may not have
// done so yet.
export const assertNotSuspended = async (app: App, account: Account): Promise<void> => {
  const { id, suspended_at: suspended, suspended_until: until } = account;
  if (!suspended || (await liftEndedSuspension(app, id))) return;
  throw createProblem('account_suspended', {
    sentence: until ? formatSuspendedUntilMessage(until, app.config.campus) : undefined,
  });
};

/**
 * Returns a new auth password. `authenticatedAt` is when the person entered their credentials elsewhere, if this is known. Throws
 * `refusal` when the account's password was changed while the log-in was checked.
 */
export const issueAuthPassword = async (
  app: App,
  account: Account,
  method: string,
  refusal: 'invalid_credentials' | 'code_invalid',
  authenticatedAt: Date | null = null,
): Promise<AuthPassword> => {
  await assertNotSuspended(app, account);
  const authPassword = generateToken();
  const issued = await credentials.insertAuthPassword(app.sql, {
    hash: hashToken(authPassword),
    userId: account.id,
    accountPasswordHash: account.password_hash,
    method,
    expiresAt: addSeconds(app.clock.now(), authPasswordLifetimeSeconds),
    authenticatedAt,
  });
  if (!issued) throw createProblem(refusal);
  return { authPassword, passwordNeeded: account.password_hash === null };
};

/** Redeems the code of the email address and confirms its account. */
const redeemEnteredCode = async (
  app: App,
  entered: LoginAttempt,
  { code, password }: EnteredCode,
): Promise<Account> => {
  const attempt = await toAccountAttempt(app, entered);
  const { email, device } = attempt;
  const counted = await beginLoginAttempt(app, attempt, 'code');
  const verdict = await redeemCode(app, email, code, counted);
  const account = await findAccountByEmail(app.sql, email);
  if (verdict.outcome !== 'right' || !account) {
    if (verdict.outcome !== 'wrong') await counted.notJudged();
    await noteFailure(app, account, 'code');
    throw toVerificationCodeProblem(verdict);
  }
  await counted.succeed(account.id);
  if (account.confirmed_at) {
    if (isCampusEmail(app.config.campus, email))
      await runInTransaction(app.sql, (tx) => confirmMembership(app, tx, account.id, 'address'));
    return account;
  }
  const isPasswordProved = password !== undefined && (await verifyPassword(account.password_hash, password));
  await runInTransaction(app.sql, (tx) =>
    confirmOwnedAccount(app, tx, account, {
      by: 'owner',
      device: device.hash,
      provedHash: isPasswordProved ? (account.password_hash ?? undefined) : undefined,
      now: app.clock.now(),
    }),
  );
  return getAccount(app, account.id);
};

/** Checks an email address and a password, and returns an auth password. */
export const logInWithPassword = async (
  app: App,
  entered: LoginAttempt,
  password: string,
): Promise<AuthPassword> => {
  assertOtherLogInAllowed(app, entered.email);
  const attempt = await toAccountAttempt(app, entered);
  const { email, device } = attempt;
  const counted = await beginLoginAttempt(app, attempt, 'password');
  const account = await findAccountByEmail(app.sql, email);
  const matches = await verifyPassword(account?.password_hash, password);
  if (!account || !matches) await noteFailure(app, account, 'password');
  if (!account) throw createProblem('account_not_found');
  if (!matches) throw createProblem('invalid_credentials');
  if (!account.confirmed_at) {
    const { id: userId, password_hash: passwordHash } = account;
    if (passwordHash) await setSignupDevice(app.sql, { userId, passwordHash, device: device.keep() });
    await ensureSignupCode(app, email);
    throw createProblem('email_not_verified');
  }
  await counted.succeed(account.id);
  return issueAuthPassword(app, account, 'password', 'invalid_credentials');
};

/** Checks an email address and a code, and returns an auth password. */
export const logInWithCode = async (
  app: App,
  attempt: LoginAttempt,
  entered: EnteredCode,
): Promise<AuthPassword> => {
  assertOtherLogInAllowed(app, attempt.email);
  return issueAuthPassword(app, await redeemEnteredCode(app, attempt, entered), 'otp', 'code_invalid');
};

/** The password or the emailed code. */
export interface EnteredProof {
  password?: string | undefined;
  code?: string | undefined;
}

/** Checks the password or the emailed code of an account. Throws when it is wrong. */
export const checkEnteredProof = async (
  app: App,
  account: Account,
  client: Omit<LoginAttempt, 'email'>,
  { password, code }: EnteredProof,
): Promise<void> => {
  const attempt = { ...client, email: account.email };
  if (code !== undefined) {
    await redeemEnteredCode(app, attempt, { code });
    return;
  }
  const counted = await beginLoginAttempt(app, attempt, 'password');
  if (!(await verifyPassword(account.password_hash, password ?? ''))) {
    await noteFailure(app, account, 'password');
    throw createFieldProblem({ password: accountErrorMessages.passwordWrong });
  }
  await counted.succeed(account.id);
};

/** Starts a session with an email address and a code, without an auth password in between. */
export const beginSessionWithCode = async (
  app: App,
  attempt: LoginAttempt,
  entered: EnteredCode,
): Promise<SessionTokens> => {
  assertOtherLogInAllowed(app, attempt.email);
  const account = await redeemEnteredCode(app, attempt, entered);
  await assertNotSuspended(app, account);
  return beginSession(app, account, 'otp', attempt.device);
};

/** Returns the id of the account for which an auth password was issued, or undefined when the password is unknown. */
export const findAuthPasswordOwner = ({ sql }: App, authPassword: string): Promise<string | undefined> =>
  credentials.findAuthPasswordOwner(sql, hashToken(authPassword));

/**
 * Starts a session with an auth password. It is valid once, for 60 seconds, and only for the account with this email
 * address, or another address of its mailbox.
 */
export const beginSessionWithAuthPassword = async (
  app: App,
  { email, device }: Pick<LoginAttempt, 'email' | 'device'>,
  authPassword: string,
): Promise<SessionTokens> => {
  // One transaction, so that no session starts after all sessions of the account have ended. The refusal is thrown
  // after the commit, because a refused auth password must be used up as well.
  const issueTokens = await runInTransaction(app.sql, async (tx) => {
    const credential = await credentials.consumeAuthPassword(tx, hashToken(authPassword));
    const account = credential && (await findAccount(tx, credential.user_id));
    const isOwner = account && isSameMailbox(app.config.campus, account.email, email);
    if (!credential || !isOwner || credential.expires_at <= app.clock.now()) return undefined;
    const { method, authenticated_at: authenticatedAt } = credential;
    return beginSessionWithin(app, tx, account, method, device, null, authenticatedAt);
  });
  if (!issueTokens) throw createProblem('invalid_credentials');
  return issueTokens();
};
