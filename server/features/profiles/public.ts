export { presentCampusAddress } from './campus-address.ts';
export { assertHasProfile, getPublicProfile } from './profiles.ts';
