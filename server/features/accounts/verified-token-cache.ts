import { LRUCache } from 'lru-cache';

/** What a verified access token says. */
export interface VerifiedClaims {
  userId: string;
  sessionId: string;
  expiresAt: Date;
  hasSecondFactor: boolean;
  /** Id of the key that signed the token. */
  kid: string;
}

/**
 * Maximum number of cached verified tokens (a few KB each). A cached token is not verified again,
 * which saves checking its signature on every request.
 */
const maxCachedTokens = 5_000;

/** The claims of access tokens whose signature was verified, by token. */
export type VerifiedTokenCache = LRUCache<string, VerifiedClaims>;

export const createVerifiedTokenCache = (): VerifiedTokenCache => new LRUCache({ max: maxCachedTokens });
