/**
 * The public API of the profiles feature for other features and the shell. Route modules may also
 * import the feature's components directly.
 */
export { getCachedOwnProfile, saveSignUpName, useOwnProfile } from './own-profile.ts';
