/** This feature's public API for other features and the shell. Routes also import its components. */
export { saveSignUpName, useOwnProfile } from './own-profile.ts';
