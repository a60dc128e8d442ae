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

const keySchema = z.object({
  kid: z.string(),
  jwk: z.record(z.string(), z.unknown()),
  /** When another key replaced it. */
  retired_at: z.iso.datetime().optional(),
});
const secretsSchema = z.object({
  /** 32 random bytes, base64url. */
  pepper: z.string(),
  /** Signing keys as earlier versions kept them here, the current one first. */
  signing: z.array(keySchema).default([]),
});

/** A signing key from secrets.json, where versions kept them before they moved into the database. */
export interface EarlierKey {
  kid: string;
  jwk: JWK;
  /** Set for a key that another one had replaced. */
  verifiesUntil?: Date;
}

/** What the server keeps to itself, in DATA_DIR/secrets.json with mode 600. */
export interface Secrets {
  /** Key for hashing short codes and encrypting queued mail and signing keys. */
  pepper: Buffer;
  /** Signing keys that a version without the table `private.signing_keys` left; the current one first. */
  earlierKeys: EarlierKey[];
}

/** Generates an ES256 signing key (RFC 7518 §3.4), private part included. */
export const makeSigningKey = async (): Promise<{ kid: string; jwk: JWK }> => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid: randomBytes(8).toString('hex'), jwk: await exportJWK(privateKey) };
};

/** Makes secrets that live nowhere but in memory. */
export const makeSecrets = (): Secrets => ({ pepper: randomBytes(32), earlierKeys: [] });

// Whole or not at all, and never readable for others.
const writeSecrets = (file: string, content: { pepper: string }): void => {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
};

/** How long earlier versions went on verifying with a key after it was replaced. */
const earlierRetirementMs = 25 * 3600 * 1000;

/** Reads DATA_DIR/secrets.json, or creates it on the first start. Throws when the file exists but is unreadable. */
export const loadSecrets = async (dataDir: string): Promise<Secrets> => {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeSecrets(file, { pepper: makeSecrets().pepper.toString('base64url') });
  }
  chmodSync(file, 0o600);
  const stored = secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return {
    pepper: Buffer.from(stored.pepper, 'base64url'),
    earlierKeys: stored.signing.map(({ kid, jwk, retired_at }) => ({
      kid,
      jwk: jwk as JWK,
      ...(retired_at ? { verifiesUntil: new Date(Date.parse(retired_at) + earlierRetirementMs) } : {}),
    })),
  };
};

/** Returns 256 random bits as base64url. It cannot be guessed, so a plain hash of it may be stored. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** Returns the SHA-256 of a token; only for tokens with full entropy. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns the HMAC-SHA-256 of a short code under the pepper; a plain hash of it could be reversed by trying all codes. */
export const hashCode = (pepper: Buffer, email: string, code: string): Buffer =>
  createHmac('sha256', pepper).update(`code\n${email}\n${code}`).digest();

/** Compares two byte strings in constant time; false for different lengths. */
export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

/** Derives a key for a single purpose from the pepper (HKDF, RFC 5869). */
export const purposeKey = (pepper: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', pepper, '', purpose, 32));

/** Encrypts a text with AES-256-GCM under the pepper, so that codes and links stay out of job tables and backups. */
export const encrypt = (pepper: Buffer, text: string): string => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', pepper, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
};

/** Decrypts what `encrypt` returned; throws when it was altered or encrypted under another pepper. */
export const decrypt = (pepper: Buffer, sealed: string): string => {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', pepper, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
};
