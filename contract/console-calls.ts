import { caseCalls } from './moderation-calls.ts';

/** Path from which administrators download the resume that came with a form. */
export const resumePath = '/rest/v1/moderation/forms/{id}/resume';

/** The calls of the console of moderators and administrators. */
export const consoleCalls = {
  ...caseCalls,
} as const;
