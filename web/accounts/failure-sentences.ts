import { errorCatalogue } from '#contract/errors.ts';

/**
 * The parts of a failed account action that select its message: the code or, for an unknown code, the text
 * (specification §8).
 */
export interface Failure {
  code: string;
  message: string;
}

/**
 * Returns the server's own message for rate limits and missing email configuration, because only the server knows the
 * details.
 */
const serverSentence = ({ code, message }: Failure): string | undefined => {
  if (code === 'mail_off') return message;
  if (code === 'rate_limited' || code === 'over_request_rate_limit') {
    return message || errorCatalogue.rate_limited.sentence;
  }
  return /rate limit|too many requests/i.test(message) ? errorCatalogue.rate_limited.sentence : undefined;
};

export const describeLogInFailure = (failure: Failure): string => {
  const { code, message } = failure;
  const known = serverSentence(failure);
  if (known) return known;
  if (code === 'unavailable') return errorCatalogue.unavailable.sentence;
  if (code === 'account_not_found' || /not found|no account/i.test(message)) {
    return errorCatalogue.account_not_found.sentence;
  }
  if (code === 'email_not_verified' || /not verified/i.test(message)) {
    return errorCatalogue.email_not_verified.sentence;
  }
  if (code === 'invalid_credentials' || /invalid|incorrect/i.test(message)) {
    return errorCatalogue.invalid_credentials.sentence;
  }
  if (/too many/i.test(message)) return errorCatalogue.rate_limited.sentence;
  return message || 'Failed to log in. Please try again.';
};

export const describeResendFailure = (failure: Failure): string =>
  serverSentence(failure) ?? 'Failed to resend code. Please try again.';

export const describeSignUpFailure = (failure: Failure): string => {
  const known = serverSentence(failure);
  if (known) return known;
  return accountExists(failure)
    ? errorCatalogue.account_exists.sentence
    : 'Failed to create account. Please try again.';
};

export const accountExists = ({ code, message }: Failure): boolean =>
  code === 'account_exists' || /already exists/i.test(message);

/** Returns the message for a refused code, and whether the boxes should be cleared. */
export const describeVerifyFailure = (failure: Failure): { sentence: string; clears: boolean } => {
  const { code, message } = failure;
  const known = serverSentence(failure);
  if (known) return { sentence: known, clears: false };
  if (code === 'code_attempts_used' || /attempt/i.test(message)) {
    return { sentence: errorCatalogue.code_attempts_used.sentence, clears: true };
  }
  if (code === 'code_invalid' || /expired|invalid/i.test(message)) {
    return { sentence: errorCatalogue.code_invalid.sentence, clears: true };
  }
  return { sentence: 'Verification failed. Please try again.', clears: false };
};

export const describeForgotPasswordFailure = (failure: Failure): { sentence: string; inline: boolean } => {
  if (failure.code === 'campus_address_required' || failure.message.includes('Only @')) {
    return { sentence: failure.message, inline: true };
  }
  const sentence = serverSentence(failure) ?? 'Failed to send reset email. Please try again.';
  return { sentence, inline: false };
};

export const describeResetPasswordFailure = (failure: Failure): string => {
  const { code, message } = failure;
  const known = serverSentence(failure);
  if (known) return known;
  return code === 'reset_link_invalid' || /invalid|expired/i.test(message)
    ? errorCatalogue.reset_link_invalid.sentence
    : 'Failed to reset password. Please try again.';
};
