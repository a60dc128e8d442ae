import { createHmac, randomInt } from 'node:crypto';
import { recoveryCodeCount } from '#contract/accounts.ts';
import { createProblem } from '#contract/errors.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { derivePurposeKey } from '#server/platform/secrets.ts';
import { lockAccount } from './account-repository.ts';
import { countSecondFactorAttempt, refuseSecondFactorCode } from './factor-attempts.ts';
import {
  consumeRecoveryCode,
  findRecoveryCodes,
  insertRecoveryFactor,
  type RecoveryCodesRow,
  replaceRecoveryCodes,
} from './recovery-code-repository.ts';
import { deleteFactor, hasVerifiedSecondFactor } from './second-factor-repository.ts';
import type { SecondFactorDeps } from './second-factor-service.ts';
import type { SessionWithSecondFactorState } from './session-authentication.ts';
import type { SessionTokens } from './sessions.ts';

/**
 * 16 characters from an alphabet of 31 have 79 bits of entropy. The alphabet omits letters and digits that look alike.
 */
const codeLength = 16;
const codeCharacters = '23456789abcdefghjkmnpqrstuvwxyz';
const defaultName = 'Recovery codes';

/** A new set of recovery codes. The person sees the codes only once. */
export interface NewRecoveryCodes {
  id: string;
  name: string;
  codes: string[];
}

const generateCode = (): string =>
  Array.from({ length: codeLength }, () => codeCharacters[randomInt(codeCharacters.length)]).join('');

/** Normalizes an entered code, because people type upper case, spaces and hyphens differently. */
const normalizeCode = (entered: string): string => entered.toLowerCase().replace(/[\s-]/g, '');

/**
 * Creates the service for recovery codes, each of which can be used once in place of a code of the authenticator app.
 */
export const createRecoveryCodeService = (deps: SecondFactorDeps) => {
  const { sql, clock, audit, notify, sessions, reauthentication } = deps;
  const key = derivePurposeKey(deps.pepper, 'recovery codes');
  const hashCode = (code: string): Buffer => createHmac('sha256', key).update(code).digest();

  const getSet = async (userId: string): Promise<RecoveryCodesRow> => {
    const set = await findRecoveryCodes(sql, userId);
    if (!set) throw createProblem('second_factor_not_found');
    return set;
  };

  /**
   * Creates a set of codes, or replaces the existing set if `mayReplace` is true. Throws second_factor_exists when
   * there already is a set and it may not be replaced, and second_factor_not_found when there is no set to replace.
   */
  const createCodes = async (
    session: Session,
    { mayReplace, name }: { mayReplace: boolean; name?: string | undefined },
  ): Promise<NewRecoveryCodes> => {
    await reauthentication.assertRecent(session);
    const { userId } = session;
    const codes = Array.from({ length: recoveryCodeCount }, generateCode);
    return runInTransaction(sql, async (tx) => {
      await lockAccount(tx, userId);
      if (!(await hasVerifiedSecondFactor(tx, userId))) throw createProblem('second_factor_required');
      const existing = await findRecoveryCodes(tx, userId);
      if (existing && !mayReplace) throw createProblem('second_factor_exists');
      if (!existing && mayReplace) throw createProblem('second_factor_not_found');
      const now = clock.now();
      const named = existing?.name ?? name ?? defaultName;
      const id = existing?.id ?? (await insertRecoveryFactor(tx, { userId, name: named, now }));
      await replaceRecoveryCodes(tx, { id, hashes: codes.map(hashCode), now });
      await audit.note({ event: 'recovery_codes_created', userId }, tx);
      if (existing) {
        const facts = { at: now.toISOString() };
        await notify(tx, 'recovery_codes_replaced', [{ subjectId: null, facts, userIds: [userId] }]);
      }
      return { id, name: named, codes };
    });
  };

  return {
    /** Returns how many codes are left. Throws second_factor_not_found when there is no set. */
    getStatus: ({ userId }: Session): Promise<RecoveryCodesRow> => getSet(userId),

    /**
     * Creates the first set of codes. Throws second_factor_required before an authenticator app has been enrolled.
     */
    generate: (session: Session, name: string | undefined): Promise<NewRecoveryCodes> =>
      createCodes(session, { mayReplace: false, name }),

    /** Replaces all recovery codes with new ones. */
    regenerate: (session: Session): Promise<NewRecoveryCodes> => createCodes(session, { mayReplace: true }),

    /** Consumes a recovery code in place of a code of the authenticator app. Returns new tokens for the session. */
    verify: async (session: SessionWithSecondFactorState, entered: string): Promise<SessionTokens> => {
      const { userId } = session;
      const { id } = await getSet(userId);
      await countSecondFactorAttempt(deps, id);
      const hash = hashCode(normalizeCode(entered));
      const tokens = await runInTransaction(sql, async (tx) => {
        await lockAccount(tx, userId);
        if (!(await consumeRecoveryCode(tx, { id, hash }))) return undefined;
        await audit.note({ event: 'second_factor_proved', userId, detail: 'recovery code' }, tx);
        const remaining = (await findRecoveryCodes(tx, userId))?.remaining ?? 0;
        const facts = { at: clock.now().toISOString(), remaining };
        await notify(tx, 'recovery_code_used', [{ subjectId: null, facts, userIds: [userId] }]);
        return sessions.addSecondFactor(tx, session, 'mfa/recovery_code');
      });
      return tokens ?? refuseSecondFactorCode(deps, userId, 'recovery code');
    },

    /** Removes all recovery codes. Returns the id of the set that contained them. */
    remove: async (session: Session): Promise<string> => {
      const { id } = await getSet(session.userId);
      await reauthentication.assertRecent(session);
      await deleteFactor(sql, id);
      await audit.note({ event: 'recovery_codes_removed', userId: session.userId });
      return id;
    },
  };
};
