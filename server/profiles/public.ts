/** What other folders may use of profiles. */
export { createProfiles } from './service.ts';
