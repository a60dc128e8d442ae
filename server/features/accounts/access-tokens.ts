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
import { accessTokenLifetimeSeconds } from '#contract/accounts.ts';
import { idSchema } from '#contract/text.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import { findSigningKeyAt, type SigningKey, type SigningKeyStore } from './signing-key-service.ts';

const signingAlgorithm = 'ES256';
const tokenAudience = 'authenticated';
/** The authenticator assurance level (claim `aal`) of a session in which the second-factor check was passed. */
const secondFactorLevel = 'aal2';
/**
 * Maximum number of cached verified tokens (a few KB each). A cached token is not verified again,
 * which saves checking its signature on every request.
 */
const maxCachedTokens = 5_000;

// Ids of people and sessions are UUIDs, so a claim in any other format is invalid.
const claimsSchema = z.object({
  sub: idSchema,
  session_id: idSchema,
  exp: z.number(),
  aal: z.string().optional(),
});

export interface AccessClaims {
  userId: string;
  sessionId: string;
  email: string;
  /** How the person authenticated in this session (claim `amr`), latest first. */
  proofs: { method: string; at: Date }[];
  /** Whether the person has passed the second-factor check in this session. */
  hasSecondFactor: boolean;
}

interface VerifiedClaims {
  userId: string;
  sessionId: string;
  expiresAt: Date;
  hasSecondFactor: boolean;
  /** Id of the key that signed the token. */
  kid: string;
}

export interface AccessTokenService {
  sign(claims: AccessClaims): Promise<{ token: string; expiresAt: Date }>;
  /** Returns the claims of a token, or undefined when the token is invalid or has expired. */
  verify(token: string): Promise<VerifiedClaims | undefined>;
  /** Returns the public keys as a JSON Web Key Set, with which other services can verify tokens (RFC 7517). */
  readKeySet(): Promise<{ keys: JWK[] }>;
}

const toPublicJwk = ({ kid, jwk }: SigningKey): JWK => {
  const { kty, crv, x, y } = jwk as { kty: string; crv: string; x: string; y: string };
  return { kty, crv, x, y, kid, alg: signingAlgorithm, use: 'sig', key_ops: ['verify'] };
};

interface KeySet {
  jwks: { keys: JWK[] };
  kids: Set<string>;
  find: JWTVerifyGetKey;
}

const createKeySet = (keys: readonly SigningKey[]): KeySet => {
  const jwks = { keys: keys.map(toPublicJwk) };
  return { jwks, kids: new Set(keys.map(({ kid }) => kid)), find: createLocalJWKSet(jwks) };
};

/**
 * Creates the service that signs and verifies access tokens: JWTs signed with ES256, valid for one
 * hour. Only the current key signs, but all listed keys verify: a new key even before it begins to
 * sign, and a retired key until its last token has expired.
 */
export const createAccessTokenService = (
  signingKeys: SigningKeyStore,
  issuer: string,
  clock: Clock,
): AccessTokenService => {
  const verifiedTokens = new LRUCache<string, VerifiedClaims>({ max: maxCachedTokens });
  let cachedKeySet: { keys: readonly SigningKey[]; set: KeySet } | undefined;
  let signer: { kid: string; key: Awaited<ReturnType<typeof importJWK>> } | undefined;

  const readCurrentKeySet = async (): Promise<KeySet> => {
    const keys = await signingKeys.list();
    if (cachedKeySet?.keys !== keys) cachedKeySet = { keys, set: createKeySet(keys) };
    return cachedKeySet.set;
  };
  const readCurrentSigner = async () => {
    const chosen = findSigningKeyAt(await signingKeys.list(), clock.now());
    if (!chosen) throw new Error('There is no signing key');
    if (signer?.kid !== chosen.kid)
      signer = { kid: chosen.kid, key: await importJWK(chosen.jwk, signingAlgorithm) };
    return signer;
  };

  return {
    readKeySet: async () => (await readCurrentKeySet()).jwks,
    sign: async ({ userId, sessionId, email, proofs, hasSecondFactor }) => {
      const { kid, key } = await readCurrentSigner();
      const now = clock.now();
      const expiresAt = addSeconds(now, accessTokenLifetimeSeconds);
      const token = await new SignJWT({
        email,
        phone: '',
        role: 'authenticated',
        session_id: sessionId,
        aal: hasSecondFactor ? secondFactorLevel : 'aal1',
        amr: proofs.map(({ method, at }) => ({ method, timestamp: Math.floor(at.getTime() / 1000) })),
        is_anonymous: false,
      })
        .setProtectedHeader({ alg: signingAlgorithm, kid, typ: 'JWT' })
        .setSubject(userId)
        .setIssuer(issuer)
        .setAudience(tokenAudience)
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt };
    },
    verify: async (token) => {
      const { find, kids } = await readCurrentKeySet();
      const cachedClaims = verifiedTokens.get(token);
      if (cachedClaims && kids.has(cachedClaims.kid))
        return clock.now() < cachedClaims.expiresAt ? cachedClaims : undefined;
      try {
        const { payload, protectedHeader } = await jwtVerify(token, find, {
          algorithms: [signingAlgorithm],
          issuer,
          audience: tokenAudience,
          currentDate: clock.now(),
          requiredClaims: ['sub', 'exp', 'session_id'],
        });
        const claims = claimsSchema.safeParse(payload);
        if (!claims.success) return undefined;
        const { sub, exp, session_id, aal } = claims.data;
        const { kid = '' } = protectedHeader;
        const verified = {
          userId: sub,
          sessionId: session_id,
          expiresAt: new Date(exp * 1000),
          hasSecondFactor: aal === secondFactorLevel,
          kid,
        };
        verifiedTokens.set(token, verified);
        return verified;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
};
