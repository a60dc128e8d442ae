import type { Account } from './account-repository.ts';
import type { Grant } from './sessions.ts';

/** Presents an account as the official client's `User`. */
export const presentUser = (account: Account) => {
  const confirmedAt = account.confirmed_at?.toISOString() ?? null;
  const metadata = {
    sub: account.id,
    email: account.email,
    email_verified: confirmedAt !== null,
    full_name: account.full_name,
  };
  return {
    id: account.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: account.email,
    phone: '',
    email_confirmed_at: confirmedAt,
    confirmed_at: confirmedAt,
    app_metadata: {
      provider: 'email',
      providers: ['email'],
      /** False after confirmation cleared a password that its owner had not set. */
      has_password: account.password_hash !== null,
    },
    user_metadata: metadata,
    identities: [],
    is_anonymous: false,
    created_at: account.created_at.toISOString(),
    updated_at: account.updated_at.toISOString(),
  };
};

/** Presents a grant as the official client's `Session`. */
export const presentGrant = (grant: Grant) => ({
  access_token: grant.accessToken,
  token_type: 'bearer',
  expires_in: grant.expiresIn,
  expires_at: grant.expiresAt,
  refresh_token: grant.refreshToken,
  user: presentUser(grant.account),
});
