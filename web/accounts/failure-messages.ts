import { errorCatalog } from '#contract/errors.ts';

/**
 * The error code and message of a failed account action. The sentence shown depends on the code or, if the
 * code is unknown, on the wording of the message (specification §8).
 */
export interface AccountFailure {
  code: string;
  message: string;
}

/** Error codes for which the message from the server is shown unchanged. */
const codesWithServerSentence = new Set([
  'mail_off',
  'sign_on_required',
  'sign_on_failed',
  'sign_on_differs',
  'campus_address_taken',
  'already_verified',
  'badge_removed',
  'account_suspended',
  // GoTrue's code for account_suspended, sent when a session is started.
  'user_banned',
]);

/**
 * Returns the server's own message for rate limits, missing email configuration, suspended accounts and accounts that
 * cannot be verified, because only the server knows the details.
 */
const findServerSentence = ({ code, message }: AccountFailure): string | undefined => {
  if (codesWithServerSentence.has(code)) return message;
  if (code === 'rate_limited' || code === 'over_request_rate_limit') {
    return message || errorCatalog.rate_limited.sentence;
  }
  return /rate limit|too many requests/i.test(message) ? errorCatalog.rate_limited.sentence : undefined;
};

export const describeLogInFailure = (failure: AccountFailure): string => {
  const { code, message } = failure;
  const known = findServerSentence(failure);
  if (known) return known;
  if (code === 'unavailable') return errorCatalog.unavailable.sentence;
  if (code === 'account_not_found' || /not found|no account/i.test(message)) {
    return errorCatalog.account_not_found.sentence;
  }
  if (code === 'email_not_verified' || /not verified/i.test(message)) {
    return errorCatalog.email_not_verified.sentence;
  }
  if (code === 'invalid_credentials' || /invalid|incorrect/i.test(message)) {
    return errorCatalog.invalid_credentials.sentence;
  }
  if (/too many/i.test(message)) return errorCatalog.rate_limited.sentence;
  return message || 'Failed to log in. Please try again.';
};

/** The message for a request for a code within 30 seconds of the previous one. */
export const codeAlreadySentMessage = 'We sent you a code a moment ago. Please check your email.';

export const describeResendFailure = (failure: AccountFailure): string =>
  findServerSentence(failure) ?? 'Failed to resend code. Please try again.';

export const describeSignUpFailure = (failure: AccountFailure): string => {
  const known = findServerSentence(failure);
  if (known) return known;
  return isAccountExistsFailure(failure)
    ? errorCatalog.account_exists.sentence
    : 'Failed to create account. Please try again.';
};

export const isAccountExistsFailure = ({ code, message }: AccountFailure): boolean =>
  code === 'account_exists' || /already exists/i.test(message);

/** Returns the message for a failed verification, and whether to clear the entered code. */
export const describeCodeFailure = (failure: AccountFailure): { sentence: string; clears: boolean } => {
  const { code, message } = failure;
  const known = findServerSentence(failure);
  if (known) return { sentence: known, clears: false };
  if (code === 'code_attempts_used' || /attempt/i.test(message)) {
    return { sentence: errorCatalog.code_attempts_used.sentence, clears: true };
  }
  if (code === 'code_invalid' || /expired|invalid/i.test(message)) {
    return { sentence: errorCatalog.code_invalid.sentence, clears: true };
  }
  return { sentence: 'Verification failed. Please try again.', clears: false };
};

export const describeForgotPasswordFailure = (
  failure: AccountFailure,
): { sentence: string; inline: boolean } => {
  if (failure.code === 'campus_address_required' || failure.message.includes('Only @')) {
    return { sentence: failure.message, inline: true };
  }
  const sentence = findServerSentence(failure) ?? 'Failed to send reset email. Please try again.';
  return { sentence, inline: false };
};

export const describeResetPasswordFailure = (failure: AccountFailure): string => {
  const { code, message } = failure;
  const known = findServerSentence(failure);
  if (known) return known;
  return code === 'reset_link_invalid' || /invalid|expired/i.test(message)
    ? errorCatalog.reset_link_invalid.sentence
    : 'Failed to reset password. Please try again.';
};
