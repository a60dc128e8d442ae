import { hash, verify } from '@node-rs/argon2';

// Argon2id, 19 MiB, two passes, one lane: the OWASP Password Storage Cheat Sheet's first choice.
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, options);

// Compared against when there is no account or password, so that both cases take the same time.
const nobody = hashPassword('nobody has this password');

/** Returns whether the password matches the hash; without a hash it does the same work and returns false. */
export const passwordMatches = async (
  stored: string | null | undefined,
  password: string,
): Promise<boolean> => {
  const matches = await verify(stored ?? (await nobody), password);
  return matches && typeof stored === 'string';
};
