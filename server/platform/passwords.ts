import { hash, verify } from '@node-rs/argon2';

// Argon2id parameters (19 MiB, two passes, one lane) recommended by the OWASP Password Storage Cheat Sheet.
let argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes a password with Argon2id and a random salt. Devices encode the same letters differently (é or e with an accent),
 * so the password is normalized before (NFC, as NIST SP 800-63B recommends).
 */
export const hashPassword = (password: string): Promise<string> =>
  hash(password.normalize('NFC'), argon2Options);

const hashDummyPassword = () => hashPassword('nobody has this password');
// The hash to verify against when the account does not exist or has no password, so that the response always
// takes the same time.
let dummyPasswordHash = hashDummyPassword();

/** Hashes passwords at the lowest possible cost from now on, for tests. Stored hashes stay valid. */
export const lowerPasswordCost = (): void => {
  argon2Options = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  dummyPasswordHash = hashDummyPassword();
};

/**
 * Returns whether the password matches the stored hash. Without a stored hash, verifies against a dummy
 * hash, so that the call takes the same time, and returns false. Hashes from before passwords were normalized match the
 * password as it was typed then.
 */
export const verifyPassword = async (
  stored: string | null | undefined,
  password: string,
): Promise<boolean> => {
  const compared = stored ?? (await dummyPasswordHash);
  const normalized = password.normalize('NFC');
  const matches =
    (await verify(compared, normalized)) || (normalized !== password && (await verify(compared, password)));
  return matches && typeof stored === 'string';
};
