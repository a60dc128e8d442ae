import { isCampusEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { hashPassword } from '#server/platform/passwords.ts';
import { findAccountByEmail, insertAccount, replaceUnconfirmedSignUp } from './account-repository.ts';
import { ensureSignupCode } from './code-mails.ts';
import { assertNotCommonPassword } from './leaked-passwords.ts';
import { countSignUp, type LoginAttempt } from './login-throttle.ts';
import { findMailboxAccount } from './mailbox-repository.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';

interface SignUpData {
  email: string;
  password: string;
  fullName: string | null;
}

/** Creates the account, or replaces an unconfirmed one, and mails a code. */
export const signUp = async (
  app: App,
  { email, password, fullName }: SignUpData,
  { address, device }: Omit<LoginAttempt, 'email'>,
): Promise<void> => {
  const { sql, clock } = app;
  const { campus, campusOnly } = app.config;
  app.mail.assertSending();
  if (campusOnly && !isCampusEmail(campus, email)) throw createProblem('campus_address_required');
  assertOtherLogInAllowed(app, email);
  assertNotCommonPassword(password);
  const counted = await countSignUp(app, { email, address });
  const passwordHash = await hashPassword(password);
  const pending = { email, fullName, passwordHash, device: device.keep(), now: clock.now() };
  const owner = await findMailboxAccount(sql, campus, email);
  const created = owner ? undefined : await insertAccount(sql, pending);
  const existing = created ? undefined : (owner ?? (await findAccountByEmail(sql, email)));
  // Until a code proves who owns the email address, the latest sign-up determines the password and the name.
  if (existing && !(await replaceUnconfirmedSignUp(sql, { ...pending, userId: existing.id }))) {
    await counted.notSent();
    throw createProblem('account_exists');
  }
  if (!(await ensureSignupCode(app, email))) await counted.notSent();
};
