import { accountErrorMessages, authPasswordLifetimeSeconds } from '#contract/accounts.ts';
import { type Campus, isCampusEmail, isSameMailbox } from '#contract/campus.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { formatSuspendedUntilMessage } from '#contract/suspensions.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import { hashPassword, verifyPassword } from '#server/platform/passwords.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import {
  type Account,
  findAccount,
  findAccountByEmail,
  insertAccount,
  replaceUnconfirmedSignUp,
  setFullName,
  setSignupDevice,
} from './account-repository.ts';
import type { CampusAddressTransfer } from './campus-address-transfer.ts';
import { type CodeService, toVerificationCodeProblem } from './codes.ts';
import { type ConfirmationDeps, confirmOwnedAccount } from './confirm.ts';
import { consumeAuthPassword, findAuthPasswordOwner, insertAuthPassword } from './credential-repository.ts';
import { assertNotCommonPassword } from './leaked-passwords.ts';
import type { LoginAttempt, LoginThrottle } from './login-throttle.ts';
import { findLoginAddress, findMailboxAccount } from './mailbox-repository.ts';
import type { SessionService, SessionTokens } from './sessions.ts';

interface AccountsDeps {
  audit: Pick<AuditTrail, 'note'>;
  sql: Sql;
  clock: Clock;
  mailer: Mailer;
  invalidation: Pick<PageInvalidation, 'profileChanged' | 'sellerChanged'>;
  codes: CodeService;
  sessions: SessionService;
  throttle: LoginThrottle;
  transfer: CampusAddressTransfer;
  checkSuspension: ConfirmationDeps['checkSuspension'];
  /** Lifts an account's suspension if the end of the suspension has passed. Returns whether it was lifted. */
  liftEndedSuspension: (userId: string) => Promise<boolean>;
  campus: Campus;
  /** Whether only people with a campus email address may sign up. */
  campusOnly: boolean;
}

interface SignUpData {
  email: string;
  password: string;
  fullName: string | null;
}

interface EnteredCode {
  code: string;
  /**
   * The password that the person chose when signing up. A client without cookies sends it together
   * with the code, to prove that the same client signed up.
   */
  password?: string | undefined;
}

/**
 * Creates the service for signing up and logging in. A log-in with a code or a password returns an auth password: a
 * one-time password that the client exchanges for a session.
 */
export const createAccountService = (deps: AccountsDeps) => {
  const { sql, clock, mailer, invalidation, codes, sessions, throttle, campus, campusOnly, audit } = deps;
  const { liftEndedSuspension } = deps;

  /** Mails a code to the email address. For an address without an account, does the same work but sends nothing. */
  const mailCode = async (
    tx: Queryable,
    email: string,
    account: Account | undefined,
    known: boolean,
  ): Promise<void> => {
    if (!account) {
      const { code, expiresAt } = await codes.issueDecoy(tx, email);
      await mailer.sendLoginCode(tx, { to: email, code, expiresAt: expiresAt.toISOString(), decoy: true });
      return;
    }
    const confirmed = account.confirmed_at !== null;
    const { code, expiresAt } = await codes.issue(tx, email, confirmed ? 'otp' : 'signup', { known });
    const mail = { to: account.email, code, expiresAt: expiresAt.toISOString() };
    await (confirmed ? mailer.sendLoginCode(tx, mail) : mailer.sendSignupCode(tx, mail));
  };

  /** Returns the attempt with the address of the account, for somebody who entered another address of the mailbox. */
  const toAccountAttempt = async (attempt: LoginAttempt): Promise<LoginAttempt> => ({
    ...attempt,
    email: await findLoginAddress(sql, campus, attempt.email),
  });

  const requestCode = async (entered: LoginAttempt): Promise<void> => {
    const attempt = await toAccountAttempt(entered);
    const { email } = attempt;
    const known = await throttle.beginRequest(attempt);
    await sql.begin(async (tx) => mailCode(tx, email, await findAccountByEmail(tx, email), known));
  };

  /** Mails a code for a sign-up, unless the newest code is still valid. Returns whether it mailed one. */
  const ensureSignupCode = (email: string): Promise<boolean> =>
    sql.begin(async (tx) => {
      const account = await findAccountByEmail(tx, email);
      const issued = account && (await codes.issueUnlessUsable(tx, email));
      if (!issued) return false;
      const { code, expiresAt } = issued;
      await mailer.sendSignupCode(tx, { to: email, code, expiresAt: expiresAt.toISOString() });
      return true;
    });

  // Call this only after the client has entered the right password or proved access to the mailbox: strangers must
  // not learn that an account is suspended. A suspension that has ended is lifted here, because the job may not have
  // done so yet.
  const assertNotSuspended = async (account: Account): Promise<void> => {
    const { id, suspended_at: suspended, suspended_until: until } = account;
    if (!suspended || (await liftEndedSuspension(id))) return;
    throw createProblem('account_suspended', {
      sentence: until ? formatSuspendedUntilMessage(until, campus) : undefined,
    });
  };

  const auditFailure = (account: Account | undefined, method: string): Promise<void> =>
    audit.note({ event: 'sign_in_failed', userId: account?.id, detail: method });

  /** Throws `refusal` when the account's password was changed while the log-in was checked. */
  const issueAuthPassword = async (
    account: Account,
    method: string,
    refusal: 'invalid_credentials' | 'code_invalid',
  ) => {
    await assertNotSuspended(account);
    const authPassword = generateToken();
    const issued = await insertAuthPassword(sql, {
      hash: hashToken(authPassword),
      userId: account.id,
      accountPasswordHash: account.password_hash,
      method,
      expiresAt: addSeconds(clock.now(), authPasswordLifetimeSeconds),
    });
    if (!issued) throw createProblem(refusal);
    return { authPassword, passwordNeeded: account.password_hash === null };
  };

  const getAccount = async (userId: string): Promise<Account> => {
    const account = await findAccount(sql, userId);
    if (!account) throw createProblem('not_authenticated');
    return account;
  };

  /** Redeems the code of the email address and confirms its account. */
  const redeemCode = async (entered: LoginAttempt, { code, password }: EnteredCode): Promise<Account> => {
    const attempt = await toAccountAttempt(entered);
    const { email, device } = attempt;
    const counted = await throttle.begin(attempt, 'code');
    const verdict = await codes.redeem(sql, email, code, counted);
    const account = await findAccountByEmail(sql, email);
    if (verdict.outcome !== 'right' || !account) {
      if (verdict.outcome !== 'wrong') await counted.notJudged();
      await auditFailure(account, 'code');
      throw toVerificationCodeProblem(verdict);
    }
    await counted.succeed(account.id);
    if (account.confirmed_at) return account;
    const isPasswordProved =
      password !== undefined && (await verifyPassword(account.password_hash, password));
    const previousHolder = await sql.begin((tx) =>
      confirmOwnedAccount(tx, deps, account, {
        device: device.hash,
        provedHash: isPasswordProved ? (account.password_hash ?? undefined) : undefined,
        now: clock.now(),
      }),
    );
    if (previousHolder !== undefined) await invalidation.sellerChanged(previousHolder);
    return getAccount(account.id);
  };

  return {
    /** Creates the account, or replaces an unconfirmed one, and mails a code. */
    signUp: async (signUp: SignUpData, { address, device }: Omit<LoginAttempt, 'email'>): Promise<void> => {
      mailer.assertSending();
      if (campusOnly && !isCampusEmail(campus, signUp.email)) throw createProblem('campus_address_required');
      assertNotCommonPassword(signUp.password);
      const counted = await throttle.beginSignUp({ email: signUp.email, address });
      const passwordHash = await hashPassword(signUp.password);
      const { email, fullName } = signUp;
      const pending = { email, fullName, passwordHash, device: device.keep(), now: clock.now() };
      const owner = await findMailboxAccount(sql, campus, email);
      const created = owner ? undefined : await insertAccount(sql, pending);
      const existing = created ? undefined : (owner ?? (await findAccountByEmail(sql, email)));
      // Until a code proves who owns the email address, the latest sign-up determines the password and the name.
      if (existing && !(await replaceUnconfirmedSignUp(sql, { ...pending, userId: existing.id }))) {
        await counted.notSent();
        throw createProblem('account_exists');
      }
      if (!(await ensureSignupCode(signUp.email))) await counted.notSent();
    },

    requestCode,

    /**
     * Checks an email address and a password, and returns an auth password: a one-time password that the client
     * exchanges for a session.
     */
    logInWithPassword: async (entered: LoginAttempt, password: string) => {
      const attempt = await toAccountAttempt(entered);
      const { email, device } = attempt;
      const counted = await throttle.begin(attempt, 'password');
      const account = await findAccountByEmail(sql, email);
      const matches = await verifyPassword(account?.password_hash, password);
      if (!account || !matches) await auditFailure(account, 'password');
      if (!account) throw createProblem('account_not_found');
      if (!matches) throw createProblem('invalid_credentials');
      if (!account.confirmed_at) {
        const { id: userId, password_hash: passwordHash } = account;
        if (passwordHash) await setSignupDevice(sql, { userId, passwordHash, device: device.keep() });
        await ensureSignupCode(email);
        throw createProblem('email_not_verified');
      }
      await counted.succeed(account.id);
      return issueAuthPassword(account, 'password', 'invalid_credentials');
    },

    /** Checks the password or the emailed code that a signed-in person has entered again. Throws when it is wrong. */
    reauthenticate: async (
      userId: string,
      client: Omit<LoginAttempt, 'email'>,
      { password, code }: { password?: string | undefined; code?: string | undefined },
    ): Promise<void> => {
      const account = await getAccount(userId);
      const attempt = { ...client, email: account.email };
      if (code !== undefined) {
        await redeemCode(attempt, { code });
        return;
      }
      const counted = await throttle.begin(attempt, 'password');
      if (!(await verifyPassword(account.password_hash, password ?? ''))) {
        await auditFailure(account, 'password');
        throw createFieldProblem({ password: accountErrorMessages.passwordWrong });
      }
      await counted.succeed(userId);
    },

    /**
     * Checks an email address and a code, and returns an auth password: a one-time password that the client exchanges
     * for a session.
     */
    logInWithCode: async (attempt: LoginAttempt, entered: EnteredCode) =>
      issueAuthPassword(await redeemCode(attempt, entered), 'otp', 'code_invalid'),

    /** Starts a session with an email address and a code, without an auth password in between. */
    beginWithCode: async (attempt: LoginAttempt, entered: EnteredCode): Promise<SessionTokens> => {
      const account = await redeemCode(attempt, entered);
      await assertNotSuspended(account);
      return sessions.begin(account, 'otp', attempt.device);
    },

    /**
     * Returns the id of the account for which an auth password was issued, or undefined when the password is unknown.
     */
    findAuthPasswordOwner: (authPassword: string): Promise<string | undefined> =>
      findAuthPasswordOwner(sql, hashToken(authPassword)),

    /**
     * Starts a session with an auth password. It is valid once, for 60 seconds, and only for the account with this
     * email address, or another address of its mailbox.
     */
    beginWithAuthPassword: async (
      { email, device }: Pick<LoginAttempt, 'email' | 'device'>,
      authPassword: string,
    ): Promise<SessionTokens> => {
      // One transaction, so that no session starts after all sessions of the account have ended. The refusal is thrown
      // after the commit, because a refused auth password must be used up as well.
      const issueTokens = await sql.begin(async (tx) => {
        const credential = await consumeAuthPassword(tx, hashToken(authPassword));
        const account = credential && (await findAccount(tx, credential.user_id));
        const isOwner = account && isSameMailbox(campus, account.email, email);
        if (!credential || !isOwner || credential.expires_at <= clock.now()) return undefined;
        return sessions.beginWithin(tx, account, credential.method, device);
      });
      if (!issueTokens) throw createProblem('invalid_credentials');
      return issueTokens();
    },

    rename: async (userId: string, fullName: string): Promise<void> => {
      await setFullName(sql, { userId, fullName, now: clock.now() });
      await invalidation.profileChanged(userId);
    },

    getAccountByEmail: async (email: string): Promise<Account> => {
      const account = await findAccountByEmail(sql, await findLoginAddress(sql, campus, email));
      if (!account) throw createProblem('account_not_found');
      return account;
    },

    getAccount,
  };
};
