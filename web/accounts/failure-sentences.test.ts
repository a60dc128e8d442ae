import { describe, expect, test } from 'vitest';
import {
  accountExists,
  describeForgotPasswordFailure,
  describeLogInFailure,
  describeResendFailure,
  describeResetPasswordFailure,
  describeSignUpFailure,
  describeVerifyFailure,
} from './failure-sentences.ts';

const failureWithCode = (code: string, message = '') => ({ code, message });
const failureWithMessage = (message: string) => ({ code: 'unknown', message });

const tooManyRequests = 'Too many requests. Try again in a few minutes.';

describe('logging in (specification §8)', () => {
  test.each([
    [failureWithCode('account_not_found'), 'No account found. Please sign up.'],
    [failureWithMessage('User not found'), 'No account found. Please sign up.'],
    [failureWithMessage('No account for this address'), 'No account found. Please sign up.'],
    [
      failureWithCode('email_not_verified'),
      'Please verify your email. Check your inbox for the verification code.',
    ],
    [
      failureWithMessage('Email not verified'),
      'Please verify your email. Check your inbox for the verification code.',
    ],
    [failureWithCode('invalid_credentials'), 'Invalid email or password'],
    [failureWithMessage('Password incorrect'), 'Invalid email or password'],
    [failureWithCode('rate_limited'), tooManyRequests],
    [failureWithMessage('email rate limit exceeded'), tooManyRequests],
    [failureWithMessage('Too many tries'), tooManyRequests],
    [failureWithCode('unavailable'), 'Service unavailable, please retry shortly.'],
    [
      failureWithMessage('Failed to create authentication session'),
      'Failed to create authentication session',
    ],
    [failureWithMessage(''), 'Failed to log in. Please try again.'],
  ])('%j: %s', (failure, sentence) => expect(describeLogInFailure(failure)).toBe(sentence));
});

test('every form shows the message that the site cannot send email', () => {
  const mailOffFailure = failureWithCode('mail_off', "This site can't send email.");
  expect(describeLogInFailure(mailOffFailure)).toBe(mailOffFailure.message);
  expect(describeSignUpFailure(mailOffFailure)).toBe(mailOffFailure.message);
  expect(describeResendFailure(mailOffFailure)).toBe(mailOffFailure.message);
  expect(describeForgotPasswordFailure(mailOffFailure)).toEqual({
    sentence: mailOffFailure.message,
    inline: false,
  });
});

test.each([describeLogInFailure, describeResendFailure, describeSignUpFailure, describeResetPasswordFailure])(
  'shows the message of a rate limit exactly as the server sent it',
  (describeFailure) => {
    const sentence = 'Too many wrong codes for this address today. Try again in 5 hours.';
    expect(describeFailure(failureWithCode('rate_limited', sentence))).toBe(sentence);
    expect(describeVerifyFailure(failureWithCode('rate_limited', sentence))).toEqual({
      sentence,
      clears: false,
    });
    expect(describeForgotPasswordFailure(failureWithCode('rate_limited', sentence))).toEqual({
      sentence,
      inline: false,
    });
  },
);

describe('signing up (specification §8)', () => {
  test.each([
    [failureWithCode('rate_limited'), tooManyRequests, false],
    [failureWithCode('account_exists'), 'Account already exists. Please log in.', true],
    [failureWithMessage('User already exists'), 'Account already exists. Please log in.', true],
    [failureWithMessage('anything'), 'Failed to create account. Please try again.', false],
  ])('%j: %s', (failure, sentence, exists) => {
    expect(describeSignUpFailure(failure)).toBe(sentence);
    expect(accountExists(failure)).toBe(exists);
  });

  test.each([
    [failureWithCode('code_invalid'), 'Invalid or expired code.', true],
    [failureWithMessage('Token has expired'), 'Invalid or expired code.', true],
    [failureWithCode('code_attempts_used'), 'Too many attempts. Request a new code.', true],
    [failureWithMessage('No attempts left'), 'Too many attempts. Request a new code.', true],
    [failureWithCode('rate_limited', tooManyRequests), tooManyRequests, false],
    [failureWithMessage('anything'), 'Verification failed. Please try again.', false],
  ])('a refused code with failure %j shows: %s', (failure, sentence, clears) => {
    expect(describeVerifyFailure(failure)).toEqual({ sentence, clears });
  });
});

test.each([
  [failureWithCode('rate_limited'), tooManyRequests],
  [failureWithCode('unavailable'), 'Failed to resend code. Please try again.'],
  [failureWithMessage('anything'), 'Failed to resend code. Please try again.'],
])('a failed request for another code with failure %j shows: %s', (failure, sentence) =>
  expect(describeResendFailure(failure)).toBe(sentence),
);

describe('a forgotten password (specification §8)', () => {
  test.each([
    [failureWithCode('campus_address_required', 'Only @usc.edu email addresses are allowed.'), true],
    [failureWithMessage('Only @usc.edu email addresses are allowed.'), true],
  ])('%j is shown inline', (failure, inline) => {
    expect(describeForgotPasswordFailure(failure)).toEqual({
      sentence: 'Only @usc.edu email addresses are allowed.',
      inline,
    });
  });
  test('other failures are shown in a toast', () => {
    expect(describeForgotPasswordFailure(failureWithCode('rate_limited')).sentence).toBe(tooManyRequests);
    expect(describeForgotPasswordFailure(failureWithMessage('x')).sentence).toBe(
      'Failed to send reset email. Please try again.',
    );
  });
  test.each([
    [
      failureWithCode('reset_link_invalid'),
      'This link is invalid or has expired. Request a new reset email.',
    ],
    [failureWithMessage('Token expired'), 'This link is invalid or has expired. Request a new reset email.'],
    [failureWithMessage('anything'), 'Failed to reset password. Please try again.'],
  ])('a failed password reset with failure %j shows: %s', (failure, sentence) =>
    expect(describeResetPasswordFailure(failure)).toBe(sentence),
  );
});
