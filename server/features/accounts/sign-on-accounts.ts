import { isCampusEmail, isSameMailbox } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { invalidateProfilePages, invalidateSellerPages } from '#server/pages/public.ts';
import { afterCommit, runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { type Account, findAccountByEmail, lockAccount, setFullName } from './account-repository.ts';
import { insertAccountWithoutPassword } from './administration-repository.ts';
import {
  findAndLockBadgeEligibility,
  saveUnverifiedAddress,
  verifyCampusAddress,
} from './campus-address-repository.ts';
import { transferCampusAddress } from './campus-address-transfer.ts';
import { confirmOwnedAccount } from './confirm.ts';
import { rememberDevice } from './devices.ts';
import {
  deleteIdentity,
  findIdentityOwner,
  hasIdentity,
  insertIdentity,
  setRole,
  updateIdentity,
} from './identity-repository.ts';
import { assertNotSuspended } from './log-in.ts';
import type { LoginAttempt } from './login-throttle.ts';
import { findMailboxAccount, findMailboxOwner, lockMailbox } from './mailbox-repository.ts';
import {
  confirmMembership,
  denyMembership,
  isConfirmedWithoutSignOn,
  isDeniedMember,
} from './memberships.ts';
import { getAccount } from './own-account.ts';
import { assertMayChangeFactors } from './reauthentication.ts';
import { findSession } from './session-repository.ts';
import { beginSession, reissueTokens, type SessionTokens } from './sessions.ts';
import type { ProviderIdentity } from './sign-on-provider.ts';
import { signOnMethod } from './sign-on-rule.ts';
import { isAddressSuspended } from './suspended-addresses.ts';

// Which account a person of the university's sign-on gets. Accounts are known by issuer and subject. An account with the
// same email address is connected only after its owner has proved it, because an address can be given to somebody else.

type Client = Omit<LoginAttempt, 'email'>;

/** For developers of native clients. */
const accessTokenSentence =
  'The ID token states too little for a new account, so send the access token, too.';

/** Gives a person whose log-in address is not of the campus the badge of the address that the university has verified. */
const addCampusAddress = async (
  app: App,
  tx: Transaction,
  userId: string,
  email: string,
): Promise<boolean> => {
  const now = app.clock.now();
  const badge = await findAndLockBadgeEligibility(tx, userId);
  const { campus } = app.config;
  if (!badge || badge.badge_removed_at || badge.usc_verified || isCampusEmail(campus, badge.email))
    return false;
  if (await isAddressSuspended(app, tx, email)) return false;
  await transferCampusAddress(app, tx, email, { userId, logsInWithAddress: false });
  await saveUnverifiedAddress(tx, { userId, email, now });
  if (!(await verifyCampusAddress(tx, { userId, email, now }))) return false;
  await confirmMembership(app, tx, userId, 'address');
  await noteSecurityEvent(app, { event: 'campus_address_added', userId }, tx);
  return true;
};

/**
 * Confirms a membership by the campus address that the university has verified, where nothing else of the person could: the
 * sign-on is required, and has never stated an affiliation. One that it no longer states is that of a former member.
 */
const confirmByAddress = async (
  app: App,
  tx: Transaction,
  userId: string,
  email: string | null,
): Promise<void> => {
  if (!app.config.campus.signOn?.isRequired || email === null) return;
  if (await isConfirmedWithoutSignOn(tx, userId)) await confirmMembership(app, tx, userId, 'address');
};

/** Applies what the university states about a person's membership of the campus, if it states anything. */
const applyAffiliation = async (
  app: App,
  tx: Transaction,
  userId: string,
  { isMember, isPartial, email }: ProviderIdentity,
): Promise<void> => {
  if (isMember === undefined) return isPartial ? undefined : confirmByAddress(app, tx, userId, email);
  if (!isMember) return denyMembership(app, tx, userId);
  const wasDenied = await isDeniedMember(tx, userId);
  await confirmMembership(app, tx, userId, 'sign_on');
  const isFree = email !== null && !(await findMailboxAccount(tx, app.config.campus, email));
  if (wasDenied && isFree && (await addCampusAddress(app, tx, userId, email)))
    afterCommit(tx, () => invalidateSellerPages(app, userId));
};

/** Stores the connection, and the role that the university states. Throws when either side is connected already. */
export const connectIdentity = async (
  app: App,
  tx: Transaction,
  userId: string,
  identity: ProviderIdentity,
): Promise<void> => {
  const now = app.clock.now();
  if (!(await insertIdentity(tx, userId, identity, now)))
    throw createProblem((await hasIdentity(tx, userId)) ? 'sign_on_differs' : 'sign_on_taken');
  if (identity.role) await setRole(tx, { userId, role: identity.role, now });
  await applyAffiliation(app, tx, userId, identity);
  await noteSecurityEvent(app, { event: 'sign_on_connected', userId }, tx);
};

const notifyPerson = (
  app: App,
  tx: Transaction,
  event: 'sign_on_connected' | 'sign_on_disconnected',
  userId: string,
): Promise<void> =>
  notify(app, tx, event, [
    { subjectId: null, facts: { at: app.clock.now().toISOString() }, userIds: [userId] },
  ]);

/** Connects an account whose owner has proved it, and tells them. */
export const connectProvenAccount = async (
  app: App,
  userId: string,
  identity: ProviderIdentity,
): Promise<void> => {
  await runInTransaction(app.sql, async (tx) => {
    await connectIdentity(app, tx, userId, identity);
    await notifyPerson(app, tx, 'sign_on_connected', userId);
  });
  await invalidateProfilePages(app, userId);
};

/**
 * Returns the account of a person whom nobody knows yet. Creates it, or confirms the sign-up that waits for a code; its
 * password may be somebody else's and is cleared. If the address was added to another account, that account loses it. Throws
 * account_proof_needed when a confirmed account logs in with an address of the mailbox.
 */
export const createConnectedAccount = (
  app: App,
  identity: ProviderIdentity,
  email: string,
): Promise<string> => {
  const { campus } = app.config;
  const now = app.clock.now();
  return runInTransaction(app.sql, async (tx) => {
    await lockMailbox(tx, campus, email);
    // The person may have logged in twice at the same time.
    const owner = await findIdentityOwner(tx, identity);
    if (owner !== undefined) return owner;
    if (await findMailboxAccount(tx, campus, email)) throw createProblem('account_proof_needed');
    const userId =
      (await findAccountByEmail(tx, email))?.id ?? (await insertAccountWithoutPassword(tx, { email, now }));
    if (userId === undefined) throw createProblem('account_proof_needed');
    await lockAccount(tx, userId);
    const { fullName, isMember } = identity;
    await confirmOwnedAccount(app, tx, { id: userId, email }, { by: 'owner', isMember, now });
    if (fullName !== null) await setFullName(tx, { userId, fullName, now });
    await noteSecurityEvent(app, { event: 'account_created', userId }, tx);
    await connectIdentity(app, tx, userId, identity);
    return userId;
  });
};

/** Starts a session of the connected account, as every other log-in does. */
const beginSignOnSession = async (
  app: App,
  account: Account,
  { hasSecondFactor, authenticatedAt }: ProviderIdentity,
  { address, device }: Client,
  isFirst: boolean,
): Promise<SessionTokens> => {
  await assertNotSuspended(app, account);
  await app.limits.consume('log_in', { about: account.email, address });
  await rememberDevice(app, device, account.id, isFirst);
  return beginSession(
    app,
    account,
    signOnMethod,
    device,
    hasSecondFactor ? signOnMethod : null,
    authenticatedAt,
  );
};

const recordLogIn = async (app: App, userId: string, identity: ProviderIdentity): Promise<void> => {
  const now = app.clock.now();
  const isChanged = await runInTransaction(app.sql, async (tx) => {
    await updateIdentity(tx, identity, now);
    await applyAffiliation(app, tx, userId, identity);
    return identity.role !== null && (await setRole(tx, { userId, role: identity.role, now }));
  });
  if (isChanged) await invalidateProfilePages(app, userId);
};

/**
 * Starts a session of the account that is connected with this identity, which is created for a new person. Throws
 * account_proof_needed when the person's address has an account that is not connected, added_address_proof_needed when it
 * was only added to one, sign_on_address_missing for a new person without a verified campus address, and sign_on_failed for
 * one of whom too little is known.
 */
export const logInWithIdentity = async (
  app: App,
  identity: ProviderIdentity,
  client: Client,
): Promise<SessionTokens> => {
  const { address } = client;
  const owner = await findIdentityOwner(app.sql, identity);
  await app.limits.consume('token', { address, userId: owner });
  if (owner !== undefined) {
    await recordLogIn(app, owner, identity);
    return beginSignOnSession(app, await getAccount(app, owner), identity, client, false);
  }
  const { email, isPartial } = identity;
  const { campus } = app.config;
  const existing = email === null ? undefined : await findMailboxOwner(app.sql, campus, email);
  if (existing && email !== null) {
    // The person may have logged in twice at the same time, and the other log-in has created the account since.
    if ((await findIdentityOwner(app.sql, identity)) !== undefined)
      return logInWithIdentity(app, identity, client);
    throw createProblem(
      isSameMailbox(campus, existing.email, email) ? 'account_proof_needed' : 'added_address_proof_needed',
    );
  }
  // Somebody who is no member would get the badge if only userinfo states this.
  if (isPartial) throw createProblem('sign_on_failed', { sentence: accessTokenSentence });
  if (email === null) throw createProblem('sign_on_address_missing');
  await app.limits.consume('sign_up', { address });
  const userId = await createConnectedAccount(app, identity, email);
  return beginSignOnSession(app, await getAccount(app, userId), identity, client, true);
};

/**
 * Connects the account of a session, whose owner proved it before they went to the provider, and returns new tokens for
 * the session. Throws sign_on_taken when the person has another account.
 */
export const connectSession = async (
  app: App,
  sessionId: string,
  identity: ProviderIdentity,
): Promise<SessionTokens> => {
  const session = await findSession(app.sql, sessionId);
  if (!session) throw createProblem('not_authenticated');
  const { user_id: userId } = session;
  const { email } = identity;
  const hasBadge = await runInTransaction(app.sql, async (tx) => {
    if (email !== null) await lockMailbox(tx, app.config.campus, email);
    if ((await findIdentityOwner(tx, identity)) === userId) return false;
    const owner = email === null ? undefined : await findMailboxAccount(tx, app.config.campus, email);
    if (owner && owner.id !== userId) throw createProblem('sign_on_taken');
    await connectIdentity(app, tx, userId, identity);
    await notifyPerson(app, tx, 'sign_on_connected', userId);
    return (
      email !== null && !owner && identity.isMember !== false && addCampusAddress(app, tx, userId, email)
    );
  });
  await (hasBadge ? invalidateSellerPages(app, userId) : invalidateProfilePages(app, userId));
  return reissueTokens(app, sessionId);
};

/**
 * Disconnects the university's sign-on from an account and tells its owner. Throws identity_not_found when none is
 * connected, or none with this id.
 */
export const removeIdentity = (app: App, userId: string, id?: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    if (!(await deleteIdentity(tx, { id, userId }))) throw createProblem('identity_not_found');
    await noteSecurityEvent(app, { event: 'sign_on_disconnected', userId }, tx);
    await notifyPerson(app, tx, 'sign_on_disconnected', userId);
  });

/**
 * Disconnects the university's sign-on from the account of a session. Throws as `assertMayChangeFactors`, and
 * sign_on_required when they could no longer log in.
 */
export const disconnectIdentity = async (app: App, session: Session, id: string): Promise<void> => {
  const { userId } = session;
  await assertMayChangeFactors(app, session);
  const { campus } = app.config;
  const account = await getAccount(app, userId);
  if (campus.signOn?.isRequired && isCampusEmail(campus, account.email))
    throw createProblem('sign_on_required');
  await removeIdentity(app, userId, id);
};
