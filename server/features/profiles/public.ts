/** Public API of profiles for the rest of the server. */
export { presentCampusAddress } from './campus-address.ts';
export { assertHasProfile, getPublicProfile } from './profiles.ts';
