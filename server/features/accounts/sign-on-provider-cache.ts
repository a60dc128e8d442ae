import type { JWTVerifyGetKey } from 'jose';
import type { Configuration } from 'openid-client';

/** What the university's sign-on has published about itself. */
export interface SignOnProvider {
  configuration: Configuration;
  issuer: string;
  findKey: JWTVerifyGetKey;
}

export interface SignOnProviderCache {
  provider?: SignOnProvider;
  outdatedAt?: Date;
  loading?: Promise<SignOnProvider> | undefined;
}
