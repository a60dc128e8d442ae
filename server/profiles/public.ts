/** Public API of profiles for other features and the shell. */
export { presentCampusAddress } from './campus-address.ts';
export { createProfileService } from './service.ts';
