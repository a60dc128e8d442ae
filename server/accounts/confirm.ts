import { type Campus, isCampusAddress } from '#contract/campus.ts';
import { nameFromAddress } from '#contract/names.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Account, confirmAccount } from './account-repository.ts';

interface Proof {
  /** Hash of the id of the device that confirms. */
  device?: Buffer | undefined;
  /** The hash of the password that the caller proved to know. */
  provedHash?: string | undefined;
  now: Date;
}

/**
 * Confirms an account whose owner proved access to the mailbox. Others see the beginning of the address of a person
 * without a name, so an address that begins like the name of staff gets a neutral name.
 */
export const confirm = (
  sql: Queryable,
  campus: Campus,
  { id: userId, email }: Pick<Account, 'id' | 'email'>,
  { device, provedHash, now }: Proof,
): Promise<void> => {
  const seen = nameFromAddress(email, campus);
  return confirmAccount(sql, {
    userId,
    campusAddress: isCampusAddress(campus, email),
    fallbackName: email.startsWith(`${seen}@`) ? null : seen,
    device,
    provedHash,
    now,
  });
};
