/** Public API of accounts and sessions for the rest of the server. */
export { createAccountServices } from './account-services.ts';
export {
  type AccountAdministrationService,
  createAccountAdministrationService,
} from './administration-service.ts';
export type { CampusAddressService } from './campus-address-service.ts';
export { toCampusCodeKey } from './codes.ts';
export {
  type ConsoleRoleService,
  createConsoleRoleCheck,
  createConsoleRoleService,
} from './console-access.ts';
export { assertNotLastAdministrator } from './last-administrator.ts';
export { haveSameMailbox } from './mailbox-repository.ts';
export { createMissingAccountProblem } from './missing-account.ts';
export { type AccountModeration, createAccountModeration } from './moderation-service.ts';
export { createPeopleService, type PeopleService } from './people-service.ts';
export { createReauthenticationService, type ReauthenticationService } from './reauthentication.ts';
export {
  createSecondFactorAdministrationService,
  type SecondFactorAdministrationService,
} from './second-factor-removal.ts';
export { publishSessionEnd } from './sessions.ts';
export { createSigningKeyRotationService } from './signing-key-service.ts';
export { createSuspendedAddressService } from './suspended-addresses.ts';
