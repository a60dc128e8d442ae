import { accountErrorMessages } from '#contract/accounts.ts';
import { createProblem } from '#contract/errors.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { findLastAuthentication, setReauthenticated } from './session-repository.ts';

/** How long after a log-in, or after the password or a code was entered again, a person may change how they log in. */
const recentSeconds = 10 * 60;

/**
 * Creates the service that checks whether the owner of a session has authenticated recently. This is required for
 * changes with which somebody who stole a session could take over the account permanently.
 */
export const createReauthenticationService = ({ sql, clock }: { sql: Sql; clock: Clock }) => {
  /** Returns whether the person has logged in, or entered their password or a code, within the last `recentSeconds`. */
  const isRecent = async ({ sessionId }: Pick<Session, 'sessionId'>): Promise<boolean> => {
    const at = await findLastAuthentication(sql, sessionId);
    if (!at) throw createProblem('not_authenticated');
    return addSeconds(at, recentSeconds) > clock.now();
  };

  return {
    isRecent,

    /** Throws reauthentication_needed if `isRecent` returns false. */
    assertRecent: async (session: Session): Promise<void> => {
      if (!(await isRecent(session)))
        throw createProblem('reauthentication_needed', { sentence: accountErrorMessages.confirmIdentity });
    },

    /** Records that the owner of a session has just authenticated again. */
    record: ({ sessionId }: Session): Promise<void> => setReauthenticated(sql, sessionId, clock.now()),
  };
};

export type ReauthenticationService = ReturnType<typeof createReauthenticationService>;
