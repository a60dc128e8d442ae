import { createLocalJWKSet, errors, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { accessTokenSeconds } from '#contract/accounts.ts';
import { idSchema } from '#contract/text.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Secrets } from '#server/platform/secrets.ts';

const algorithm = 'ES256';
const audience = 'authenticated';
/** Tokens found good, whose signature is not computed again at each request: some kilobytes each. */
const rememberedAtMost = 5_000;

// The database knows people and sessions by UUIDs: a claim of any other form can name nobody.
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
}

export interface AccessTokens {
  sign(claims: AccessClaims): Promise<{ token: string; expiresAt: number }>;
  /** The claims of a token that is ours and not expired; undefined for every other one, whatever is wrong with it. */
  verify(token: string): Promise<Verified | undefined>;
  /** The public keys, for anyone who wants to check tokens (RFC 7517). */
  jwks: { keys: JWK[] };
}

const publicPart = ({ kid, jwk }: Secrets['signing'][number]): JWK => {
  const { kty, crv, x, y } = jwk as { kty: string; crv: string; x: string; y: string };
  return { kty, crv, x, y, kid, alg: algorithm, use: 'sig', key_ops: ['verify'] };
};

/**
 * Access tokens: JWTs of one hour under one asymmetric algorithm. The first key signs, all verify, so a new key can
 * be put first without ending sessions.
 */
export const createAccessTokens = async (
  signing: Secrets['signing'],
  issuer: string,
  clock: Clock,
): Promise<AccessTokens> => {
  const [current] = signing;
  if (!current) throw new Error('There is no signing key');
  const key = await importJWK(current.jwk, algorithm);
  const jwks = { keys: signing.map(publicPart) };
  const keySet = createLocalJWKSet(jwks);
  const remembered = new LRUCache<string, Verified>({ max: rememberedAtMost });
  return {
    jwks,
    sign: async ({ userId, sessionId, email, method }) => {
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
        .setProtectedHeader({ alg: algorithm, kid: current.kid, typ: 'JWT' })
        .setSubject(userId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt };
    },
    verify: async (token) => {
      const known = remembered.get(token);
      if (known) return clock.now() < known.expiresAt ? known : undefined;
      try {
        const { payload } = await jwtVerify(token, keySet, {
          algorithms: [algorithm],
          issuer,
          audience,
          currentDate: clock.now(),
          requiredClaims: ['sub', 'exp', 'session_id'],
        });
        const claims = claimsSchema.safeParse(payload);
        if (!claims.success) return undefined;
        const { sub, exp, session_id } = claims.data;
        const verified = { userId: sub, sessionId: session_id, expiresAt: new Date(exp * 1000) };
        remembered.set(token, verified);
        return verified;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
};
