import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { accessTokenLifetimeSeconds } from '#contract/accounts.ts';
import { idSchema } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { signingAlgorithm } from './signing-key-cache.ts';
import { findSigningKeyAt, readSigningKeys } from './signing-keys.ts';
import type { VerifiedClaims } from './verified-token-cache.ts';

// Access tokens are JWTs signed with ES256, valid for one hour. Only the current key signs, but all listed keys verify: a
// new key even before it begins to sign, and a retired key until its last token has expired.

const tokenAudience = 'authenticated';
/** The authenticator assurance level (claim `aal`) of a session in which the second-factor check was passed. */
const secondFactorLevel = 'aal2';

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

const getIssuer = ({ config }: App): string => `${config.publicUrl}/auth/v1`;

export const signAccessToken = async (
  app: App,
  { userId, sessionId, email, proofs, hasSecondFactor }: AccessClaims,
): Promise<{ token: string; expiresAt: Date }> => {
  const { keys } = await readSigningKeys(app);
  const now = app.clock.now();
  const key = findSigningKeyAt(keys, now);
  if (!key) throw new Error('There is no signing key');
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
    .setProtectedHeader({ alg: signingAlgorithm, kid: key.kid, typ: 'JWT' })
    .setSubject(userId)
    .setIssuer(getIssuer(app))
    .setAudience(tokenAudience)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(key.jwk);
  return { token, expiresAt };
};

const toVerifiedClaims = (payload: JWTPayload, kid: string): VerifiedClaims | undefined => {
  const claims = claimsSchema.safeParse(payload);
  if (!claims.success) return undefined;
  const { sub, exp, session_id, aal } = claims.data;
  return {
    userId: sub,
    sessionId: session_id,
    expiresAt: new Date(exp * 1000),
    hasSecondFactor: aal === secondFactorLevel,
    kid,
  };
};

/** Returns the claims of a token, or undefined when the token is invalid or has expired. */
export const verifyAccessToken = async (app: App, token: string): Promise<VerifiedClaims | undefined> => {
  const { clock, verifiedTokens } = app;
  const { findPublicKey, kids } = await readSigningKeys(app);
  const cachedClaims = verifiedTokens.get(token);
  if (cachedClaims && kids.has(cachedClaims.kid))
    return clock.now() < cachedClaims.expiresAt ? cachedClaims : undefined;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, findPublicKey, {
      algorithms: [signingAlgorithm],
      issuer: getIssuer(app),
      audience: tokenAudience,
      currentDate: clock.now(),
      requiredClaims: ['sub', 'exp', 'session_id'],
    });
    const claims = toVerifiedClaims(payload, protectedHeader.kid ?? '');
    if (claims) verifiedTokens.set(token, claims);
    return claims;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};
