import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '#server/platform/clock.ts';

/** The algorithm of access tokens (ECDSA with P-256 and SHA-256, RFC 7518 §3.4). */
export const signingAlgorithm = 'ES256';
/** How long a process caches the keys it has read. */
export const keyCacheSeconds = 60;

/** A current or retired key for access tokens. Retired keys imported from earlier versions have no private part. */
export interface SigningKey {
  kid: string;
  jwk: JWK;
  signsFrom: Date;
}

/** The keys that verify access tokens. */
export interface SigningKeySet {
  /** Ordered by the time from which they sign. */
  keys: readonly SigningKey[];
  kids: ReadonlySet<string>;
  /** The public keys as a JSON Web Key Set (RFC 7517). */
  publicKeys: { keys: JWK[] };
  findPublicKey: JWTVerifyGetKey;
}

const toPublicJwk = ({ kid, jwk }: SigningKey): JWK => {
  const { kty, crv, x, y } = jwk as { kty: string; crv: string; x: string; y: string };
  return { kty, crv, x, y, kid, alg: signingAlgorithm, use: 'sig', key_ops: ['verify'] };
};

const createKeySet = (keys: readonly SigningKey[]): SigningKeySet => {
  const publicKeys = { keys: keys.map(toPublicJwk) };
  return {
    keys,
    kids: new Set(keys.map(({ kid }) => kid)),
    publicKeys,
    findPublicKey: createLocalJWKSet(publicKeys),
  };
};

export interface SigningKeyCache {
  /** Returns the cached keys, or those that `load` returns. Concurrent callers share one call of `load`. */
  read(clock: Clock, load: () => Promise<readonly SigningKey[]>): Promise<SigningKeySet>;
}

export const createSigningKeyCache = (): SigningKeyCache => {
  let cached: { keySet: SigningKeySet; readAt: number } | undefined;
  let pendingReload: Promise<SigningKeySet> | undefined;
  return {
    read: async (clock, load) => {
      if (cached && clock.elapsed() - cached.readAt < keyCacheSeconds * 1000) return cached.keySet;
      const reload = async (): Promise<SigningKeySet> => {
        const readAt = clock.elapsed();
        const keySet = createKeySet(await load());
        cached = { keySet, readAt };
        return keySet;
      };
      pendingReload ??= reload().finally(() => {
        pendingReload = undefined;
      });
      return pendingReload;
    },
  };
};
