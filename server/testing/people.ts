import { randomBytes } from 'node:crypto';
import { type Campus, isCampusEmail } from '#contract/campus.ts';
import { confirmAccount, insertAccount } from '#server/features/accounts/account-repository.ts';
import { insertAuthPassword } from '#server/features/accounts/credential-repository.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import { hashPassword } from '#server/platform/passwords.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';

const hashes = new Map<string, Promise<string>>();
/** Returns the same hash whenever a password is used again, because hashing takes time. */
const hashOnce = (password: string): Promise<string> => {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
};

/**
 * Inserts a confirmed account as a sign-up leaves it; returns an auth password, with which `/auth/v1/token` starts a
 * session.
 */
export const insertPerson = async (
  sql: Sql,
  clock: Clock,
  campus: Campus,
  { email, fullName, password }: { email: string; fullName: string; password: string },
): Promise<string> => {
  const now = clock.now();
  const device = randomBytes(32);
  const passwordHash = await hashOnce(password);
  const userId = await insertAccount(sql, { email, fullName, passwordHash, device, now });
  if (userId === undefined) throw new Error(`${email} already has an account`);
  const campusAddress = isCampusEmail(campus, email);
  await confirmAccount(sql, { userId, campusAddress, device, fallbackName: null, now });
  const authPassword = generateToken();
  await insertAuthPassword(sql, {
    hash: hashToken(authPassword),
    userId,
    accountPasswordHash: passwordHash,
    method: 'otp',
    expiresAt: addSeconds(now, 60),
  });
  return authPassword;
};
