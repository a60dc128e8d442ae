import { describe, expect, test } from 'vitest';
import {
  accountExists,
  forgotFailure,
  logInFailure,
  resendFailure,
  resetFailure,
  signUpFailure,
  verifyFailure,
} from './failure-sentences.ts';

const coded = (code: string, message = '') => ({ code, message });
const said = (message: string) => ({ code: 'unknown', message });

const tooMany = 'Too many requests. Try again in a few minutes.';

describe('logging in (§8)', () => {
  test.each([
    [coded('account_not_found'), 'No account found. Please sign up.'],
    [said('User not found'), 'No account found. Please sign up.'],
    [said('No account for this address'), 'No account found. Please sign up.'],
    [coded('email_not_verified'), 'Please verify your email. Check your inbox for the verification code.'],
    [said('Email not verified'), 'Please verify your email. Check your inbox for the verification code.'],
    [coded('invalid_credentials'), 'Invalid email or password'],
    [said('Password incorrect'), 'Invalid email or password'],
    [coded('rate_limited'), tooMany],
    [said('email rate limit exceeded'), tooMany],
    [said('Too many tries'), tooMany],
    [coded('unavailable'), 'Service unavailable, please retry shortly.'],
    [said('Failed to create authentication session'), 'Failed to create authentication session'],
    [said(''), 'Failed to log in. Please try again.'],
  ])('%j: %s', (failure, sentence) => expect(logInFailure(failure)).toBe(sentence));
});

test('every form shows that the server sends no mail', () => {
  const off = coded('mail_off', "This site can't send email.");
  expect(logInFailure(off)).toBe(off.message);
  expect(signUpFailure(off)).toBe(off.message);
  expect(resendFailure(off)).toBe(off.message);
  expect(forgotFailure(off)).toEqual({ sentence: off.message, inline: false });
});

test.each([logInFailure, resendFailure, signUpFailure, resetFailure])(
  'shows the message of a limit as the server wrote it',
  (sentenceOf) => {
    const sentence = 'Too many wrong codes for this address today. Try again in 5 hours.';
    expect(sentenceOf(coded('rate_limited', sentence))).toBe(sentence);
    expect(verifyFailure(coded('rate_limited', sentence))).toEqual({ sentence, clears: false });
    expect(forgotFailure(coded('rate_limited', sentence))).toEqual({ sentence, inline: false });
  },
);

describe('signing up (§8)', () => {
  test.each([
    [coded('rate_limited'), tooMany, false],
    [coded('account_exists'), 'Account already exists. Please log in.', true],
    [said('User already exists'), 'Account already exists. Please log in.', true],
    [said('anything'), 'Failed to create account. Please try again.', false],
  ])('%j: %s', (failure, sentence, exists) => {
    expect(signUpFailure(failure)).toBe(sentence);
    expect(accountExists(failure)).toBe(exists);
  });

  test.each([
    [coded('code_invalid'), 'Invalid or expired code.', true],
    [said('Token has expired'), 'Invalid or expired code.', true],
    [coded('code_attempts_used'), 'Too many attempts. Request a new code.', true],
    [said('No attempts left'), 'Too many attempts. Request a new code.', true],
    [coded('rate_limited', tooMany), tooMany, false],
    [said('anything'), 'Verification failed. Please try again.', false],
  ])('a refused code, %j: %s', (failure, sentence, clears) => {
    expect(verifyFailure(failure)).toEqual({ sentence, clears });
  });
});

test.each([
  [coded('rate_limited'), tooMany],
  [coded('unavailable'), 'Failed to resend code. Please try again.'],
  [said('anything'), 'Failed to resend code. Please try again.'],
])('a code sent again, %j: %s', (failure, sentence) => expect(resendFailure(failure)).toBe(sentence));

describe('a forgotten password (§8)', () => {
  test.each([
    [coded('campus_address_required', 'Only @usc.edu email addresses are allowed.'), true],
    [said('Only @usc.edu email addresses are allowed.'), true],
  ])('%j is shown inline', (failure, inline) => {
    expect(forgotFailure(failure)).toEqual({
      sentence: 'Only @usc.edu email addresses are allowed.',
      inline,
    });
  });
  test('other causes are toasts', () => {
    expect(forgotFailure(coded('rate_limited')).sentence).toBe(tooMany);
    expect(forgotFailure(said('x')).sentence).toBe('Failed to send reset email. Please try again.');
  });
  test.each([
    [coded('reset_link_invalid'), 'This link is invalid or has expired. Request a new reset email.'],
    [said('Token expired'), 'This link is invalid or has expired. Request a new reset email.'],
    [said('anything'), 'Failed to reset password. Please try again.'],
  ])('a reset, %j: %s', (failure, sentence) => expect(resetFailure(failure)).toBe(sentence));
});
