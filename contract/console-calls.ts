import { declareCall } from './calls/declare-call.ts';
import { overviewSchema } from './console-overview.ts';
import { caseCalls } from './moderation-calls.ts';

/** Path from which administrators download the resume that came with a form. */
export const resumePath = '/rest/v1/moderation/forms/{id}/resume';

/** The calls of the console of moderators and administrators. */
export const consoleCalls = {
  ...caseCalls,
  getOverview: declareCall({
    method: 'GET',
    path: '/rest/v1/moderation/overview',
    summary:
      'Numbers of sign-ups, listings, deals and cases per day and week, and the state of the open cases',
    access: 'moderator',
    output: overviewSchema,
    errors: [],
    limit: 'console',
  }),

} as const;
