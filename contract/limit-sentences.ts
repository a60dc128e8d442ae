import type { Campus } from './campus.ts';
import { trouble } from './trouble.ts';

const minute = 60;
const hour = 3600;

/** Returns a wait in seconds as text, rounded up: "1 minute", "12 minutes", "5 hours". */
export const waitText = (seconds: number): string => {
  if (seconds <= minute) return '1 minute';
  if (seconds <= 90 * minute) return `${Math.ceil(seconds / minute)} minutes`;
  return `${Math.ceil(seconds / hour)} hours`;
};

/** Returns the message of a limit that ends in `seconds`, with the support address. */
export const tooManyRequests = (seconds: number, { supportEmail }: Pick<Campus, 'supportEmail'>): string =>
  `Too many requests. Try again in ${waitText(seconds)}, or write to ${supportEmail}.`;

/** The longest wait in seconds that §8's message for accounts calls "a few minutes". */
const fewMinutes = 15 * minute;

/** Returns §8's message where it is accurate, and undefined for a longer wait. */
export const inAFewMinutes = (seconds: number): string | undefined =>
  seconds <= fewMinutes ? trouble.rate_limited : undefined;

/** Messages of the limits on codes and passwords of one account: alternatives until they end, in `seconds`. */
export const accountLimitSentences = {
  codesHere: (seconds: number) =>
    `Too many codes and links for this address. Use the newest one we sent or another network, or try again in ${waitText(seconds)}.`,
  codesToday: (seconds: number) =>
    `Too many codes were requested for this address today. Use your password, "Forgot password?" or a device you logged in on before, or try again in ${waitText(seconds)}.`,
  wrongCodesHere: (seconds: number) =>
    `Too many wrong codes from this network. Use your password, "Forgot password?" or another network, or try again in ${waitText(seconds)}.`,
  wrongCodesToday: (seconds: number) =>
    `Too many wrong codes for this address today. Use your password, "Forgot password?" or a device you logged in on before, or try again in ${waitText(seconds)}.`,
  wrongPasswords: (seconds: number) =>
    `Too many wrong passwords for this account. Use "Email me a code" or "Forgot password?", or try again in ${waitText(seconds)}.`,
} as const;
