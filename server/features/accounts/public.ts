export { confirmWithoutCode, createAccount, sendResetLink } from './account-administration.ts';
export {
  endAccountSessions,
  getAccountSummary,
  maxFoundAccounts,
  searchAccounts,
  setAccountVerified,
} from './account-moderation.ts';
export type { AccountSummary } from './account-repository.ts';
export { removeCampusAddress, requestCampusCode, verifyCampusCode } from './campus-addresses.ts';
export { toCampusCodeKey } from './codes.ts';
export { changeConsoleRole, requireConsoleRole } from './console-access.ts';
export { findDeviceOwner } from './device-repository.ts';
export { countIdentitiesOf, moveSignOn } from './identity-move.ts';
export { assertNotLastAdministrator } from './last-administrator.ts';
export { haveSameMailbox } from './mailbox-repository.ts';
export { checkMemberships, listMemberships, mailMembershipLink } from './memberships.ts';
export { createMissingAccountProblem } from './missing-account.ts';
export { getPerson, listPeople } from './people.ts';
export { assertRecentProof } from './reauthentication.ts';
export { removeLostSecondFactor } from './second-factor-removal.ts';
export { authenticate } from './session-authentication.ts';
export { createSessionCache } from './session-cache.ts';
export { listEndedSessions, publishSessionEnd } from './sessions.ts';
export { removeIdentity } from './sign-on-accounts.ts';
export { createSigningKeyCache } from './signing-key-cache.ts';
export { rotateSigningKey } from './signing-keys.ts';
export { keepSuspendedAddresses } from './suspended-addresses.ts';
export { liftSuspension, suspendAccount } from './suspensions.ts';
export { createVerifiedTokenCache } from './verified-token-cache.ts';
