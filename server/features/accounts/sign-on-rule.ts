import { isSignOnRequired } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';

/** The method of log-ins by the university's sign-on in sessions, tokens and the audit trail. */
export const signOnMethod = 'oauth';

/** Throws sign_on_required when a person with this address can log in only through the university's sign-on. */
export const assertOtherLogInAllowed = ({ config }: App, email: string): void => {
  if (isSignOnRequired(config.campus, email)) throw createProblem('sign_on_required');
};
