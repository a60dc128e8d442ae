/** Public API of profiles for other features and the shell. */
export { createProfiles } from './service.ts';
