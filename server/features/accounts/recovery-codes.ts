import { createHmac, randomInt } from 'node:crypto';
import { recoveryCodeCount } from '#contract/accounts.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { derivePurposeKey } from '#server/platform/secrets.ts';
import { lockAccount } from './account-repository.ts';
import { countSecondFactorAttempt, refuseSecondFactorCode } from './factor-attempts.ts';
import { assertRecentProof } from './reauthentication.ts';
import {
  consumeRecoveryCode,
  findRecoveryCodes,
  insertRecoveryFactor,
  type RecoveryCodesRow,
  replaceRecoveryCodes,
} from './recovery-code-repository.ts';
import { deleteFactor, hasVerifiedSecondFactor } from './second-factor-repository.ts';
import type { SessionWithSecondFactorState } from './session-authentication.ts';
import { passSecondFactorCheck, type SessionTokens } from './sessions.ts';

// Each recovery code can be used once in place of a code of the authenticator app.

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

const hashCode = ({ secrets }: App, code: string): Buffer =>
  createHmac('sha256', derivePurposeKey(secrets.pepper, 'recovery codes')).update(code).digest();

/**
 * Creates a set of codes, or replaces the existing set if `mayReplace` is true. Throws second_factor_exists when
 * there already is a set and it may not be replaced, and second_factor_not_found when there is no set to replace.
 */
const createCodes = async (
  app: App,
  session: Session,
  { mayReplace, name }: { mayReplace: boolean; name?: string | undefined },
): Promise<NewRecoveryCodes> => {
  await assertRecentProof(app, session);
  const { userId } = session;
  const codes = Array.from({ length: recoveryCodeCount }, generateCode);
  return runInTransaction(app.sql, async (tx) => {
    await lockAccount(tx, userId);
    if (!(await hasVerifiedSecondFactor(tx, userId))) throw createProblem('second_factor_required');
    const existing = await findRecoveryCodes(tx, userId);
    if (existing && !mayReplace) throw createProblem('second_factor_exists');
    if (!existing && mayReplace) throw createProblem('second_factor_not_found');
    const now = app.clock.now();
    const named = existing?.name ?? name ?? defaultName;
    const id = existing?.id ?? (await insertRecoveryFactor(tx, { userId, name: named, now }));
    await replaceRecoveryCodes(tx, { id, hashes: codes.map((code) => hashCode(app, code)), now });
    await noteSecurityEvent(app, { event: 'recovery_codes_created', userId }, tx);
    if (existing) {
      const facts = { at: now.toISOString() };
      await notify(app, tx, 'recovery_codes_replaced', [{ subjectId: null, facts, userIds: [userId] }]);
    }
    return { id, name: named, codes };
  });
};

/** Returns a person's set of codes, with how many are left. Throws second_factor_not_found when there is no set. */
export const getRecoveryCodes = async (
  { sql }: App,
  { userId }: Pick<Session, 'userId'>,
): Promise<RecoveryCodesRow> => {
  const set = await findRecoveryCodes(sql, userId);
  if (!set) throw createProblem('second_factor_not_found');
  return set;
};

/**
 * Creates the first set of codes. Throws second_factor_required before an authenticator app has been enrolled.
 */
export const generateRecoveryCodes = (
  app: App,
  session: Session,
  name: string | undefined,
): Promise<NewRecoveryCodes> => createCodes(app, session, { mayReplace: false, name });

export const regenerateRecoveryCodes = (app: App, session: Session): Promise<NewRecoveryCodes> =>
  createCodes(app, session, { mayReplace: true });

/** Consumes a recovery code in place of a code of the authenticator app. Returns new tokens for the session. */
export const verifyRecoveryCode = async (
  app: App,
  session: SessionWithSecondFactorState,
  code: string,
): Promise<SessionTokens> => {
  const { userId } = session;
  const { id } = await getRecoveryCodes(app, session);
  await countSecondFactorAttempt(app, id);
  const hash = hashCode(app, code);
  const tokens = await runInTransaction(app.sql, async (tx) => {
    await lockAccount(tx, userId);
    if (!(await consumeRecoveryCode(tx, { id, hash }))) return undefined;
    await noteSecurityEvent(app, { event: 'second_factor_proved', userId, detail: 'recovery code' }, tx);
    const remaining = (await findRecoveryCodes(tx, userId))?.remaining ?? 0;
    const facts = { at: app.clock.now().toISOString(), remaining };
    await notify(app, tx, 'recovery_code_used', [{ subjectId: null, facts, userIds: [userId] }]);
    return passSecondFactorCheck(app, tx, session, 'mfa/recovery_code');
  });
  return tokens ?? refuseSecondFactorCode(app, userId, 'recovery code');
};

/** Removes all recovery codes. Returns the id of the set that contained them. */
export const removeRecoveryCodes = async (app: App, session: Session): Promise<string> => {
  const { userId } = session;
  const { id } = await getRecoveryCodes(app, session);
  await assertRecentProof(app, session);
  await deleteFactor(app.sql, id);
  await noteSecurityEvent(app, { event: 'recovery_codes_removed', userId });
  return id;
};
