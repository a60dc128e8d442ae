import { createProblem, errorCatalog, type Problem } from '#contract/errors.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { findAuthorityError, getAppealCutoff, omitLaterAppeals } from './action-policy.ts';
import type { ActionRow, CaseForAction, Moderator } from './action-repository.ts';
import { findCurrentRole } from './waiting-action-repository.ts';

/** Why an action was withdrawn whose moderator lost the role, was suspended or deleted the account. */
export const lostRoleFailure = 'The moderator who chose this can no longer use the console.';

/** Returns the sentence that tells moderators why an action was withdrawn. */
export const formatFailure = ({ code, message }: Problem): string => {
  const { sentence } = errorCatalog[code];
  return message || (typeof sentence === 'string' ? sentence : code);
};

const findModerator = async (
  tx: Queryable,
  { actor_id: userId, actor_name: name }: ActionRow,
): Promise<Moderator | undefined> => {
  if (userId === null) return name === null ? undefined : { name };
  const role = await findCurrentRole(tx, userId);
  return role && { userId, role };
};

/**
 * Returns why the moderator who chose an action may not decide the case with it any more, or undefined. It is checked
 * again when the action takes effect.
 */
export const findLostAuthority = async (
  tx: Queryable,
  about: CaseForAction,
  action: ActionRow,
): Promise<string | undefined> => {
  const moderator = await findModerator(tx, action);
  if (!moderator) return lostRoleFailure;
  // Appeals that arrived later stay open, so the action does not judge them.
  const decided = omitLaterAppeals(about, getAppealCutoff(action));
  const error = findAuthorityError(decided, action.action, moderator);
  return error && formatFailure(createProblem(error));
};
