import type { z } from 'zod';
import type { connectedAccountSchema, signOnAddressSchema } from '#contract/accounts.ts';
import { isSameMailbox, maskEmail } from '#contract/campus.ts';
import { createProblem, Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import type { Account } from './account-repository.ts';
import { mailLoginCode } from './code-mails.ts';
import { hasConsoleRole } from './console-access-repository.ts';
import { hasIdentity } from './identity-repository.ts';
import { checkEnteredProof, type EnteredProof, issueAuthPassword } from './log-in.ts';
import type { LoginAttempt } from './login-throttle.ts';
import { findMailboxOwner } from './mailbox-repository.ts';
import { getAccount } from './own-account.ts';
import { hasVerifiedSecondFactor } from './second-factor-repository.ts';
import { endUnprovenFlow, getUnprovenIdentity, refuseSignOn } from './sign-on.ts';
import { connectProvenAccount, createConnectedAccount } from './sign-on-accounts.ts';
import type { ProviderIdentity } from './sign-on-provider.ts';
import { signOnMethod } from './sign-on-rule.ts';

// A person of the university's sign-on proves once that they own the account with their address, by a code mailed to it or
// by its password.

type Client = Omit<LoginAttempt, 'email'>;

/** The request of a person who has logged in at the university. */
interface ProofTicket {
  ticket: string;
  browserHash: Buffer | undefined;
}

const getUnprovenAccount = async (
  app: App,
  ticket: ProofTicket,
): Promise<{ identity: ProviderIdentity; id: string; email: string; isOtherAddress: boolean }> => {
  const identity = await getUnprovenIdentity(app, ticket);
  const { campus } = app.config;
  const { email } = identity;
  const owner = email === null ? undefined : await findMailboxOwner(app.sql, campus, email);
  if (!owner || email === null) return refuseSignOn(app, 'account gone');
  return { identity, ...owner, isOtherAddress: !isSameMailbox(campus, owner.email, email) };
};

/** Mails a code to the account, unless one was mailed a moment ago, and returns its address, or a hint of a private one. */
export const sendProofCode = async (
  app: App,
  ticket: ProofTicket,
  client: Client,
): Promise<z.output<typeof signOnAddressSchema>> => {
  const { email, isOtherAddress } = await getUnprovenAccount(app, ticket);
  // The account may be that of a person who had the campus address before.
  const shown = { email: isOtherAddress ? maskEmail(email) : email };
  try {
    await mailLoginCode(app, { ...client, email });
    return shown;
  } catch (error) {
    if (!(error instanceof Problem) || error.resendAfter === undefined) throw error;
    return { ...shown, resend_after: error.resendAfter };
  }
};

/**
 * Returns whether a password or a code alone must not connect the sign-on: the account has two-step verification, or a role in the
 * console and passkeys.
 */
const needsSecondStep = async ({ sql }: App, { id, has_passkeys: hasPasskeys }: Account): Promise<boolean> =>
  (await hasVerifiedSecondFactor(sql, id)) || (hasPasskeys && (await hasConsoleRole(sql, id)));

/**
 * Checks the code or the password, connects the account, and returns a one-time password with which the client starts a
 * session. Where the sign-on is required, only a code counts. An account for which `needsSecondStep` is true is not connected,
 * because this is one step only, and the university may prove the second one at later log-ins; its owner connects it in
 * Settings.
 */
export const connectByProof = async (
  app: App,
  ticket: ProofTicket,
  client: Client,
  proof: EnteredProof,
): Promise<z.output<typeof connectedAccountSchema>> => {
  const { identity, id, email } = await getUnprovenAccount(app, ticket);
  const isRequired = app.config.campus.signOn?.isRequired;
  if (isRequired && proof.code === undefined) throw createProblem('sign_on_required');
  await checkEnteredProof(app, await getAccount(app, id), client, proof);
  if (!(await endUnprovenFlow(app, ticket.ticket))) return refuseSignOn(app, 'unknown code');
  const account = await getAccount(app, id);
  const isConnected = !(await needsSecondStep(app, account));
  if (isConnected) await connectProvenAccount(app, id, identity);
  else if (await hasIdentity(app.sql, id)) throw createProblem('sign_on_differs');
  const { authPassword } = await issueAuthPassword(
    app,
    await getAccount(app, id),
    signOnMethod,
    'code_invalid',
    isRequired ? identity.authenticatedAt : app.clock.now(),
  );
  return { email, authPassword, passwordNeeded: false, isConnected };
};

/**
 * Creates an account of the person, connects it, and returns a one-time password with which the client starts a session. Somebody
 * had added the campus address to an account that logs in with another one, which loses it and is told. Throws account_exists when
 * an account logs in with the campus address, account_proof_needed when one has just begun to, and campus_address_taken when the
 * other account is suspended.
 */
export const startNewAccount = async (
  app: App,
  ticket: ProofTicket,
  address: string,
): Promise<z.output<typeof connectedAccountSchema>> => {
  const { identity, isOtherAddress } = await getUnprovenAccount(app, ticket);
  const { email } = identity;
  if (!isOtherAddress || email === null) throw createProblem('account_exists');
  await app.limits.consume('sign_up', { address });
  if (!(await endUnprovenFlow(app, ticket.ticket))) return refuseSignOn(app, 'unknown code');
  const account = await getAccount(app, await createConnectedAccount(app, identity, email));
  const { authPassword } = await issueAuthPassword(
    app,
    account,
    signOnMethod,
    'code_invalid',
    identity.authenticatedAt,
  );
  return { email: account.email, authPassword, passwordNeeded: false, isConnected: true };
};
