import { hash, verify } from '@node-rs/argon2';

// Argon2id parameters (19 MiB, two passes, one lane) recommended by the OWASP Password Storage Cheat Sheet.
const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with Argon2id and a random salt. */
export const hashPassword = (password: string): Promise<string> => hash(password, argon2Options);

// Verified when there is no account or no password, so that the response takes the same time in every case.
const dummyHash = hashPassword('nobody has this password');

/**
 * Returns whether the password matches the stored hash. Without a stored hash it does the same work and returns false.
 */
export const passwordMatches = async (
  stored: string | null | undefined,
  password: string,
): Promise<boolean> => {
  const matches = await verify(stored ?? (await dummyHash), password);
  return matches && typeof stored === 'string';
};
