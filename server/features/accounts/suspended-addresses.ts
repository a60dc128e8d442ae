import { createHmac } from 'node:crypto';
import { type CampusMailboxes, toCanonicalEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { derivePurposeKey } from '#server/platform/secrets.ts';
import {
  deleteSuspendedAddresses,
  insertSuspendedAddress,
  isSuspendedAddress,
  listSuspendedAddresses,
} from './suspended-address-repository.ts';

const maxSeconds = 2 * 365 * dayInSeconds;

/**
 * Creates the service that remembers the addresses of suspended people after their accounts were deleted, as keyed hashes
 * until the suspension would have ended, for two years at most.
 */
export const createSuspendedAddressService = ({
  clock,
  pepper,
  campus,
}: {
  clock: Clock;
  pepper: Buffer;
  campus: CampusMailboxes;
}) => {
  const key = derivePurposeKey(pepper, 'suspended addresses');
  const hashAddress = (email: string): Buffer => createHmac('sha256', key).update(email).digest();
  const hashMailbox = (email: string): Buffer => hashAddress(toCanonicalEmail(campus, email));
  // Earlier versions stored the address itself, tag included. Such rows end after two years at most.
  const listHashes = (email: string): Buffer[] => [hashMailbox(email), hashAddress(email)];

  const isSuspended = (sql: Queryable, email: string): Promise<boolean> =>
    isSuspendedAddress(sql, listHashes(email), clock.now());

  return {
    /** Remembers the verified addresses of an account that is about to be deleted, if it is suspended. */
    keep: async (tx: Queryable, userId: string): Promise<void> => {
      const now = clock.now();
      const latest = addSeconds(now, maxSeconds);
      for (const { email, suspended_until: end } of await listSuspendedAddresses(tx, userId, now)) {
        const until = end && end < latest ? end : latest;
        await insertSuspendedAddress(tx, { hash: hashMailbox(email), until });
      }
    },

    /** Returns whether an address leads to a mailbox of a suspended account that was deleted. */
    isSuspended,

    /** Throws account_suspended for the address of a suspended account that was deleted. */
    assertNotSuspended: async (sql: Queryable, email: string): Promise<void> => {
      if (await isSuspended(sql, email)) throw createProblem('account_suspended');
    },

    /**
     * Forgets that an address belonged to a suspended account, so that its owner can sign up again. Called when an
     * administrator allows it.
     */
    forget: (tx: Queryable, email: string): Promise<void> => deleteSuspendedAddresses(tx, listHashes(email)),
  };
};

export type SuspendedAddressService = ReturnType<typeof createSuspendedAddressService>;
