import type { FastifyReply } from 'fastify';
import { accountErrorMessages } from '#contract/accounts.ts';
import type { Campus } from '#contract/campus.ts';
import { type ErrorCode, errorCatalog, formatProblemMessage, type Problem } from '#contract/errors.ts';
import type { Account } from './account-repository.ts';
import type { SessionTokens } from './sessions.ts';

/**
 * Converts an account to the `User` type of the Supabase client, for a session that may still await the second-factor
 * check.
 */
export const presentGotrueUser = (
  account: Account,
  { awaitsSecondFactor }: { awaitsSecondFactor: boolean },
) => {
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
      providers: ['email', ...account.identities.map(({ provider }) => provider)],
      /**
       * Whether the account has a password. It may have none after sign-up, because confirming an
       * account clears a password that somebody other than the owner may have set.
       */
      has_password: account.password_hash !== null,
      /** Whether the session must pass the second-factor check before it may do anything else. */
      awaits_second_factor: awaitsSecondFactor,
      /** Whether the account has passkeys, with one of which such a session may pass that check. */
      has_passkeys: account.has_passkeys,
    },
    user_metadata: metadata,
    identities: account.identities.map((identity) => ({ ...identity, user_id: account.id })),
    factors: account.factors,
    is_anonymous: false,
    created_at: account.created_at.toISOString(),
    updated_at: account.updated_at.toISOString(),
  };
};

/** Converts the tokens of a session to the `Session` type of the Supabase client. */
export const presentGotrueSession = (grant: SessionTokens) => ({
  access_token: grant.accessToken,
  token_type: 'bearer',
  expires_in: grant.expiresIn,
  expires_at: Math.floor(grant.expiresAt.getTime() / 1000),
  refresh_token: grant.refreshToken,
  user: presentGotrueUser(grant.account, grant),
});

/** The GoTrue API version sent to clients. Since this version, errors have a `code`. */
const apiVersion = '2024-01-01';

interface GotrueError {
  status: number;
  code: string;
  message: string;
  weak_password?: { reasons: string[] };
}

// Maps our error codes to GoTrue's status and code. Other errors keep our status and code.
const gotrueErrors: Partial<Record<ErrorCode, { status: number; code: string }>> = {
  validation_failed: { status: 400, code: 'validation_failed' },
  malformed_request: { status: 400, code: 'bad_json' },
  rate_limited: { status: 429, code: 'over_request_rate_limit' },
  account_exists: { status: 422, code: 'user_already_exists' },
  invalid_credentials: { status: 400, code: 'invalid_credentials' },
  account_suspended: { status: 403, code: 'user_banned' },
  email_not_verified: { status: 400, code: 'email_not_confirmed' },
  code_invalid: { status: 403, code: 'otp_expired' },
  code_attempts_used: { status: 403, code: 'otp_expired' },
  campus_address_required: { status: 400, code: 'email_address_not_authorized' },
  refresh_token_unknown: { status: 400, code: 'refresh_token_not_found' },
  refresh_token_replayed: { status: 400, code: 'refresh_token_already_used' },
  second_factor_not_found: { status: 404, code: 'mfa_factor_not_found' },
  second_factor_exists: { status: 422, code: 'mfa_verified_factor_exists' },
  second_factor_code_wrong: { status: 422, code: 'mfa_verification_failed' },
  second_factor_challenge_expired: { status: 422, code: 'mfa_challenge_expired' },
  second_factor_required: { status: 401, code: 'insufficient_aal' },
  not_authenticated: { status: 403, code: 'session_not_found' },
  sign_on_taken: { status: 422, code: 'identity_already_exists' },
  account_not_connected: { status: 422, code: 'user_already_exists' },
  identity_not_found: { status: 404, code: 'identity_not_found' },
  passkey_refused: { status: 400, code: 'webauthn_verification_failed' },
  passkey_challenge_expired: { status: 400, code: 'webauthn_challenge_expired' },
  passkey_unknown: { status: 404, code: 'webauthn_credential_not_found' },
  passkey_not_found: { status: 404, code: 'webauthn_credential_not_found' },
  passkey_exists: { status: 422, code: 'webauthn_credential_exists' },
  too_many_passkeys: { status: 422, code: 'too_many_passkeys' },
  internal: { status: 500, code: 'unexpected_failure' },
};

const weakPasswordReasons: Record<string, string[]> = {
  [accountErrorMessages.passwordShort]: ['length'],
  [accountErrorMessages.passwordKinds]: ['characters'],
  [errorCatalog.weak_password.sentence]: ['pwned'],
};

const toGotrueError = (refusal: Problem, campus: Campus): GotrueError => {
  const message = formatProblemMessage(refusal, campus);
  const weak = weakPasswordReasons[refusal.fields?.password ?? ''];
  if (weak) {
    return {
      status: 422,
      code: 'weak_password',
      message: refusal.fields?.password ?? message,
      weak_password: { reasons: weak },
    };
  }
  if (refusal.resendAfter !== undefined) {
    return {
      status: 429,
      code: 'over_email_send_rate_limit',
      message: `For security purposes, you can only request this after ${refusal.resendAfter} seconds.`,
    };
  }
  const gotrueError = gotrueErrors[refusal.code];
  return gotrueError
    ? { ...gotrueError, message }
    : { status: errorCatalog[refusal.code].status, code: refusal.code, message };
};

export const sendGotrueErrorReply = (reply: FastifyReply, { status, ...body }: GotrueError): FastifyReply =>
  reply
    .code(status)
    .header('x-supabase-api-version', apiVersion)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(body);

/** Sends a `Problem` (an error with one of our codes) as an error response in the GoTrue format. */
export const sendGotrueProblem = (reply: FastifyReply, refusal: Problem, campus: Campus): FastifyReply => {
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  return sendGotrueErrorReply(reply, toGotrueError(refusal, campus));
};
