import {
  createLocalJWKSet,
  errors,
  importJWK,
  type JWK,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { accessTokenSeconds } from '#contract/accounts.ts';
import { idSchema } from '#contract/text.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import { type SigningKey, type SigningKeys, signerAt } from './signing-key-service.ts';

const algorithm = 'ES256';
const audience = 'authenticated';
/** Number of verified tokens to remember, so that their signatures are not checked on each request; a few KB each. */
const maxCachedTokens = 5_000;

// People and sessions have UUIDs, so a claim in any other format is invalid.
const claimsSchema = z.object({ sub: idSchema, session_id: idSchema, exp: z.number() });

export interface AccessClaims {
  userId: string;
  sessionId: string;
  email: string;
  method: string;
}

interface Verified {
  userId: string;
  sessionId: string;
  expiresAt: Date;
  /** Id of the key that signed the token. */
  kid: string;
}

export interface AccessTokens {
  sign(claims: AccessClaims): Promise<{ token: string; expiresAt: number }>;
  /** Returns the claims of a valid token; undefined for any other. */
  verify(token: string): Promise<Verified | undefined>;
  /** Returns the public keys, with which others can verify tokens (RFC 7517). */
  readKeySet(): Promise<{ keys: JWK[] }>;
}

const publicPart = ({ kid, jwk }: SigningKey): JWK => {
  const { kty, crv, x, y } = jwk as { kty: string; crv: string; x: string; y: string };
  return { kty, crv, x, y, kid, alg: algorithm, use: 'sig', key_ops: ['verify'] };
};

interface KeySet {
  jwks: { keys: JWK[] };
  kids: Set<string>;
  find: JWTVerifyGetKey;
}

const keySetOf = (keys: readonly SigningKey[]): KeySet => {
  const jwks = { keys: keys.map(publicPart) };
  return { jwks, kids: new Set(keys.map(({ kid }) => kid)), find: createLocalJWKSet(jwks) };
};

/**
 * Creates the access tokens: JWTs valid for one hour, with one asymmetric algorithm. One key signs and all keys verify: a
 * new key verifies before it signs, and a retired one until its tokens have expired.
 */
export const createAccessTokens = (signingKeys: SigningKeys, issuer: string, clock: Clock): AccessTokens => {
  const verifiedTokens = new LRUCache<string, Verified>({ max: maxCachedTokens });
  let known: { keys: readonly SigningKey[]; set: KeySet } | undefined;
  let signer: { kid: string; key: Awaited<ReturnType<typeof importJWK>> } | undefined;

  const readSet = async (): Promise<KeySet> => {
    const keys = await signingKeys.list();
    if (known?.keys !== keys) known = { keys, set: keySetOf(keys) };
    return known.set;
  };
  const readSigner = async () => {
    const chosen = signerAt(await signingKeys.list(), clock.now());
    if (!chosen) throw new Error('There is no signing key');
    if (signer?.kid !== chosen.kid) signer = { kid: chosen.kid, key: await importJWK(chosen.jwk, algorithm) };
    return signer;
  };

  return {
    readKeySet: async () => (await readSet()).jwks,
    sign: async ({ userId, sessionId, email, method }) => {
      const { kid, key } = await readSigner();
      const now = clock.now();
      const issuedAt = Math.floor(now.getTime() / 1000);
      const expiresAt = Math.floor(secondsAfter(now, accessTokenSeconds).getTime() / 1000);
      const token = await new SignJWT({
        email,
        phone: '',
        role: 'authenticated',
        session_id: sessionId,
        aal: 'aal1',
        amr: [{ method, timestamp: issuedAt }],
        is_anonymous: false,
      })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .setSubject(userId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt };
    },
    verify: async (token) => {
      const { find, kids } = await readSet();
      const seen = verifiedTokens.get(token);
      if (seen && kids.has(seen.kid)) return clock.now() < seen.expiresAt ? seen : undefined;
      try {
        const { payload, protectedHeader } = await jwtVerify(token, find, {
          algorithms: [algorithm],
          issuer,
          audience,
          currentDate: clock.now(),
          requiredClaims: ['sub', 'exp', 'session_id'],
        });
        const claims = claimsSchema.safeParse(payload);
        if (!claims.success) return undefined;
        const { sub, exp, session_id } = claims.data;
        const { kid = '' } = protectedHeader;
        const verified = { userId: sub, sessionId: session_id, expiresAt: new Date(exp * 1000), kid };
        verifiedTokens.set(token, verified);
        return verified;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
};
