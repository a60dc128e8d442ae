import { type Campus, isCampusAddress } from '#contract/campus.ts';
import { nameFromAddress } from '#contract/names.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Account, confirmAccount } from './account-repository.ts';

interface ConfirmationProof {
  /** Hash of the id of the device that confirms the account. */
  device?: Buffer | undefined;
  /** The stored password hash, if the caller entered the matching password. */
  provedHash?: string | undefined;
  now: Date;
}

/**
 * Confirms an account whose owner proved access to the mailbox. Other people see the beginning of the email address of
 * a person without a name, so an address that begins like a staff name gets a neutral display name.
 */
export const confirmOwnedAccount = (
  sql: Queryable,
  campus: Campus,
  { id: userId, email }: Pick<Account, 'id' | 'email'>,
  { device, provedHash, now }: ConfirmationProof,
): Promise<void> => {
  const visibleName = nameFromAddress(email, campus);
  return confirmAccount(sql, {
    userId,
    campusAddress: isCampusAddress(campus, email),
    fallbackName: email.startsWith(`${visibleName}@`) ? null : visibleName,
    device,
    provedHash,
    now,
  });
};
