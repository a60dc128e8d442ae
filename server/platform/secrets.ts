import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';

const signingKeySchema = z.object({
  kid: z.string(),
  jwk: z.record(z.string(), z.unknown()),
  /** Time at which this signing key was replaced by a newer one. It is absent for the current key. */
  retired_at: z.iso.datetime().optional(),
});
const secretsSchema = z.object({
  /** The server's secret key for hashing and encryption: 32 random bytes in base64url. */
  pepper: z.string(),
  /** Signing keys, the current one first. Earlier versions stored them here; they are now in the database. */
  signing: z.array(signingKeySchema).default([]),
});

/** A signing key from secrets.json, where earlier versions stored keys that are now in the database. */
export interface LegacySigningKey {
  kid: string;
  jwk: JWK;
  /** Time until which a replaced key still verifies tokens, or undefined for the current key. */
  verifiesUntil?: Date;
}

/** The server's secrets, stored in QUAD_DATA_DIR/secrets.json with mode 600. */
export interface Secrets {
  /** Key for hashing short codes and encrypting queued mail and signing keys. */
  pepper: Buffer;
  /** Signing keys written by a version without the table `private.signing_keys`; the current one first. */
  earlierKeys: LegacySigningKey[];
}

/** Generates an ES256 signing key (RFC 7518 §3.4), private part included. */
export const generateSigningKey = async (): Promise<{ kid: string; jwk: JWK }> => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid: randomBytes(8).toString('hex'), jwk: await exportJWK(privateKey) };
};

/** Generates new secrets in memory, without storing them. */
export const generateSecrets = (): Secrets => ({ pepper: randomBytes(32), earlierKeys: [] });

// Write the secrets to a temporary file and rename it, so that the final file is always complete and never
// readable by other accounts.
const writeSecrets = (file: string, content: { pepper: string }): void => {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
};

/**
 * How long earlier versions accepted tokens signed with a key after that key was replaced, in ms.
 */
const retiredKeyLifetimeMs = 25 * 3600 * 1000;

/** Reads QUAD_DATA_DIR/secrets.json, or creates it on the first start. Throws when the file exists but is unreadable. */
export const loadSecrets = async (dataDir: string): Promise<Secrets> => {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeSecrets(file, { pepper: generateSecrets().pepper.toString('base64url') });
  }
  chmodSync(file, 0o600);
  const stored = secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return {
    pepper: Buffer.from(stored.pepper, 'base64url'),
    earlierKeys: stored.signing.map(({ kid, jwk, retired_at }) => ({
      kid,
      jwk: jwk as JWK,
      ...(retired_at ? { verifiesUntil: new Date(Date.parse(retired_at) + retiredKeyLifetimeMs) } : {}),
    })),
  };
};

/** Returns 256 random bits as base64url. Such a token cannot be guessed, so storing an unsalted hash of it is safe. */
export const generateToken = (): string => randomBytes(32).toString('base64url');

/** Returns the SHA-256 of a token; use it only for tokens of `generateToken`. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Returns the HMAC-SHA-256 of an email address and its short code, keyed with the pepper. An
 * unkeyed hash could be reversed by trying all codes.
 */
export const hashEmailCode = (pepper: Buffer, email: string, code: string): Buffer =>
  createHmac('sha256', pepper).update(`code\n${email}\n${code}`).digest();

/** Compares two byte strings in constant time; returns false when their lengths differ. */
export const areBytesEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

/** Derives a 32-byte key for a single purpose from the pepper (HKDF, RFC 5869). */
export const derivePurposeKey = (pepper: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', pepper, '', purpose, 32));

/**
 * Encrypts text with AES-256-GCM. The key is the pepper, so job tables and backups contain no readable codes
 * or links.
 */
export const encrypt = (pepper: Buffer, text: string): string => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', pepper, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
};

/**
 * Decrypts text that `encrypt` returned. Throws when the text was altered or encrypted with another pepper.
 */
export const decrypt = (pepper: Buffer, sealed: string): string => {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', pepper, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
};
