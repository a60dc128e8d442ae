import { describe, expect, test } from 'vitest';
import {
  describeCodeFailure,
  describeForgotPasswordFailure,
  describeLogInFailure,
  describeResendFailure,
  describeResetPasswordFailure,
  describeSignUpFailure,
  isAccountExistsFailure,
} from './failure-messages.ts';

const createFailureWithCode = (code: string, message = '') => ({ code, message });
const createFailureWithMessage = (message: string) => ({ code: 'unknown', message });

const tooManyRequestsSentence = 'Too many requests. Try again in a few minutes.';

describe('logging in (specification §8)', () => {
  test.each([
    [createFailureWithCode('account_not_found'), 'No account found. Please sign up.'],
    [createFailureWithMessage('User not found'), 'No account found. Please sign up.'],
    [createFailureWithMessage('No account for this address'), 'No account found. Please sign up.'],
    [
      createFailureWithCode('email_not_verified'),
      'Please verify your email. Check your inbox for the verification code.',
    ],
    [
      createFailureWithMessage('Email not verified'),
      'Please verify your email. Check your inbox for the verification code.',
    ],
    [createFailureWithCode('invalid_credentials'), 'Invalid email or password'],
    [createFailureWithMessage('Password incorrect'), 'Invalid email or password'],
    [createFailureWithCode('rate_limited'), tooManyRequestsSentence],
    [createFailureWithMessage('email rate limit exceeded'), tooManyRequestsSentence],
    [createFailureWithMessage('Too many tries'), tooManyRequestsSentence],
    [createFailureWithCode('unavailable'), 'Service unavailable, please retry shortly.'],
    [
      createFailureWithMessage('Failed to create authentication session'),
      'Failed to create authentication session',
    ],
    [createFailureWithMessage(''), 'Failed to log in. Please try again.'],
  ])('%j: %s', (failure, sentence) => expect(describeLogInFailure(failure)).toBe(sentence));
});

test('every account form shows the message that the site cannot send email', () => {
  const mailOffFailure = createFailureWithCode('mail_off', "This site can't send email.");
  expect(describeLogInFailure(mailOffFailure)).toBe(mailOffFailure.message);
  expect(describeSignUpFailure(mailOffFailure)).toBe(mailOffFailure.message);
  expect(describeResendFailure(mailOffFailure)).toBe(mailOffFailure.message);
  expect(describeForgotPasswordFailure(mailOffFailure)).toEqual({
    sentence: mailOffFailure.message,
    inline: false,
  });
});

test('a correct code for an email address that cannot be verified shows the server’s explanation', () => {
  for (const code of ['campus_address_taken', 'already_verified', 'badge_removed']) {
    const failure = createFailureWithCode(code, 'This address belongs to another account.');
    expect(describeCodeFailure(failure)).toEqual({ sentence: failure.message, clears: false });
  }
});

test.each(['account_suspended', 'user_banned'])(
  'a log-in, code or password reset that fails with %s shows when the suspension ends',
  (code) => {
    const failure = createFailureWithCode(code, 'This account is suspended until December 3.');
    expect(describeLogInFailure(failure)).toBe(failure.message);
    expect(describeCodeFailure(failure)).toEqual({ sentence: failure.message, clears: false });
    expect(describeResetPasswordFailure(failure)).toBe(failure.message);
  },
);

test.each([describeLogInFailure, describeResendFailure, describeSignUpFailure, describeResetPasswordFailure])(
  'shows the message of a rate limit exactly as the server sent it',
  (describeFailure) => {
    const sentence = 'Too many wrong codes for this address today. Try again in 5 hours.';
    expect(describeFailure(createFailureWithCode('rate_limited', sentence))).toBe(sentence);
    expect(describeCodeFailure(createFailureWithCode('rate_limited', sentence))).toEqual({
      sentence,
      clears: false,
    });
    expect(describeForgotPasswordFailure(createFailureWithCode('rate_limited', sentence))).toEqual({
      sentence,
      inline: false,
    });
  },
);

describe('signing up (specification §8)', () => {
  test.each([
    [createFailureWithCode('rate_limited'), tooManyRequestsSentence, false],
    [createFailureWithCode('account_exists'), 'Account already exists. Please log in.', true],
    [createFailureWithMessage('User already exists'), 'Account already exists. Please log in.', true],
    [createFailureWithMessage('anything'), 'Failed to create account. Please try again.', false],
  ])('%j: %s', (failure, sentence, exists) => {
    expect(describeSignUpFailure(failure)).toBe(sentence);
    expect(isAccountExistsFailure(failure)).toBe(exists);
  });

  test.each([
    [createFailureWithCode('code_invalid'), 'Invalid or expired code.', true],
    [createFailureWithMessage('Token has expired'), 'Invalid or expired code.', true],
    [createFailureWithCode('code_attempts_used'), 'Too many attempts. Request a new code.', true],
    [createFailureWithMessage('No attempts left'), 'Too many attempts. Request a new code.', true],
    [createFailureWithCode('rate_limited', tooManyRequestsSentence), tooManyRequestsSentence, false],
    [createFailureWithMessage('anything'), 'Verification failed. Please try again.', false],
  ])('a refused code with failure %j shows: %s', (failure, sentence, clears) => {
    expect(describeCodeFailure(failure)).toEqual({ sentence, clears });
  });
});

test.each([
  [createFailureWithCode('rate_limited'), tooManyRequestsSentence],
  [createFailureWithCode('unavailable'), 'Failed to resend code. Please try again.'],
  [createFailureWithMessage('anything'), 'Failed to resend code. Please try again.'],
])('a failed request for another code with failure %j shows: %s', (failure, sentence) =>
  expect(describeResendFailure(failure)).toBe(sentence),
);

describe('a forgotten password (specification §8)', () => {
  test.each([
    [createFailureWithCode('campus_address_required', 'Only @usc.edu email addresses are allowed.'), true],
    [createFailureWithMessage('Only @usc.edu email addresses are allowed.'), true],
  ])('%j is shown inline', (failure, inline) => {
    expect(describeForgotPasswordFailure(failure)).toEqual({
      sentence: 'Only @usc.edu email addresses are allowed.',
      inline,
    });
  });
  test('other failures are shown in a toast', () => {
    expect(describeForgotPasswordFailure(createFailureWithCode('rate_limited')).sentence).toBe(
      tooManyRequestsSentence,
    );
    expect(describeForgotPasswordFailure(createFailureWithMessage('x')).sentence).toBe(
      'Failed to send reset email. Please try again.',
    );
  });
  test.each([
    [
      createFailureWithCode('reset_link_invalid'),
      'This link is invalid or has expired. Request a new reset email.',
    ],
    [
      createFailureWithMessage('Token expired'),
      'This link is invalid or has expired. Request a new reset email.',
    ],
    [createFailureWithMessage('anything'), 'Failed to reset password. Please try again.'],
  ])('a failed password reset with failure %j shows: %s', (failure, sentence) =>
    expect(describeResetPasswordFailure(failure)).toBe(sentence),
  );
});
