import { createHmac } from 'node:crypto';
import { toCanonicalEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { derivePurposeKey } from '#server/platform/secrets.ts';
import {
  deleteSuspendedAddresses,
  insertSuspendedAddress,
  isSuspendedAddress,
  listSuspendedAddresses,
} from './suspended-address-repository.ts';

// The addresses of suspended people are remembered after their accounts were deleted, as keyed hashes until the
// suspension would have ended, for two years at most.
const maxSeconds = 2 * 365 * dayInSeconds;

const hashAddress = ({ secrets }: App, email: string): Buffer =>
  createHmac('sha256', derivePurposeKey(secrets.pepper, 'suspended addresses')).update(email).digest();

const hashMailbox = (app: App, email: string): Buffer =>
  hashAddress(app, toCanonicalEmail(app.config.campus, email));

// Earlier versions stored the address itself, tag included. Such rows end after two years at most.
const listHashes = (app: App, email: string): Buffer[] => [hashMailbox(app, email), hashAddress(app, email)];

/** Remembers the verified addresses of an account that is about to be deleted, if it is suspended. */
export const keepSuspendedAddresses = async (app: App, tx: Queryable, userId: string): Promise<void> => {
  const now = app.clock.now();
  const latest = addSeconds(now, maxSeconds);
  for (const { email, suspended_until: end } of await listSuspendedAddresses(tx, userId, now)) {
    const until = end && end < latest ? end : latest;
    await insertSuspendedAddress(tx, { hash: hashMailbox(app, email), until });
  }
};

/** Returns whether an address leads to a mailbox of a suspended account that was deleted. */
export const isAddressSuspended = (app: App, tx: Queryable, email: string): Promise<boolean> =>
  isSuspendedAddress(tx, listHashes(app, email), app.clock.now());

/** Throws account_suspended for the address of a suspended account that was deleted. */
export const assertAddressNotSuspended = async (app: App, tx: Queryable, email: string): Promise<void> => {
  if (await isAddressSuspended(app, tx, email)) throw createProblem('account_suspended');
};

/**
 * Forgets that an address belonged to a suspended account, so that its owner can sign up again. Called when an
 * administrator allows it.
 */
export const forgetSuspendedAddress = (app: App, tx: Queryable, email: string): Promise<void> =>
  deleteSuspendedAddresses(tx, listHashes(app, email));
