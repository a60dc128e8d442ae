import type { App } from '#server/app.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { type Account, findAccountByEmail } from './account-repository.ts';
import { issueCode, issueCodeUnlessUsable, issueDecoyCode } from './codes.ts';
import { countCodeRequest, type LoginAttempt } from './login-throttle.ts';
import { findLoginAddress } from './mailbox-repository.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';

/** Mails a code to the email address. For an address without an account, does the same work but sends nothing. */
const mailCode = async (
  app: App,
  tx: Queryable,
  email: string,
  account: Account | undefined,
  known: boolean,
): Promise<void> => {
  const { mail: mailer } = app;
  if (!account) {
    const { code, expiresAt } = await issueDecoyCode(app, tx, email);
    await mailer.send(tx, {
      kind: 'login_code',
      to: email,
      code,
      expiresAt: expiresAt.toISOString(),
      decoy: true,
    });
    return;
  }
  const confirmed = account.confirmed_at !== null;
  const { code, expiresAt } = await issueCode(app, tx, email, confirmed ? 'otp' : 'signup', { known });
  const mail = { to: account.email, code, expiresAt: expiresAt.toISOString() };
  await mailer.send(tx, { kind: confirmed ? 'login_code' : 'signup_code', ...mail });
};

/** Returns the attempt with the address of the account, for somebody who entered another address of the mailbox. */
export const toAccountAttempt = async (
  { sql, config }: App,
  attempt: LoginAttempt,
): Promise<LoginAttempt> => ({
  ...attempt,
  email: await findLoginAddress(sql, config.campus, attempt.email),
});

/** Mails a code, also where it opens an account only together with the university's sign-on. */
export const mailLoginCode = async (app: App, entered: LoginAttempt): Promise<void> => {
  const attempt = await toAccountAttempt(app, entered);
  const { email } = attempt;
  const known = await countCodeRequest(app, attempt);
  await runInTransaction(app.sql, async (tx) =>
    mailCode(app, tx, email, await findAccountByEmail(tx, email), known),
  );
};

/**
 * Mails a code with which a person logs in or confirms the email address of a sign-up. Throws sign_on_required where the
 * university's sign-on replaces codes.
 */
export const requestCode = async (app: App, entered: LoginAttempt): Promise<void> => {
  assertOtherLogInAllowed(app, entered.email);
  await mailLoginCode(app, entered);
};

/** Mails a code for a sign-up, unless the newest code is still valid. Returns whether it mailed one. */
export const ensureSignupCode = (app: App, email: string): Promise<boolean> =>
  runInTransaction(app.sql, async (tx) => {
    const account = await findAccountByEmail(tx, email);
    const issued = account && (await issueCodeUnlessUsable(app, tx, email));
    if (!issued) return false;
    const { code, expiresAt } = issued;
    await app.mail.send(tx, { kind: 'signup_code', to: email, code, expiresAt: expiresAt.toISOString() });
    return true;
  });
