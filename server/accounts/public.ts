/** Public API of accounts and sessions for the rest of the server. */
export { createAccountServices } from './account-services.ts';
export { type AccountAdministration, createAccountAdministration } from './administration-service.ts';
export type { CampusAddressService } from './campus-address-service.ts';
export { toCampusCodeKey } from './codes.ts';
export {
  type ConsoleRoleService,
  createConsoleRoleCheck,
  createConsoleRoleService,
} from './console-access.ts';
export { assertNotLastAdministrator } from './last-administrator.ts';
export { type AccountModeration, createAccountModeration } from './moderation-service.ts';
export { createPeopleService, type PeopleService } from './people-service.ts';
export {
  createSecondFactorAdministration,
  type SecondFactorAdministration,
} from './second-factor-removal.ts';
export { publishSessionEnd } from './sessions.ts';
export { createKeyRotation } from './signing-key-service.ts';
export { createSuspendedAddressService } from './suspended-addresses.ts';
