import type { Campus } from './campus.ts';
import { generalErrorMessages } from './general-error-messages.ts';
import { maxOpenWantedPosts, maxSavedListings, maxSavedSearches } from './paging.ts';

const minuteInSeconds = 60;
const hourInSeconds = 3600;

/** Returns a waiting time in seconds as text, rounded up: "1 minute", "12 minutes" or "5 hours". */
export const formatWaitingTime = (seconds: number): string => {
  if (seconds <= minuteInSeconds) return '1 minute';
  if (seconds <= 90 * minuteInSeconds) return `${Math.ceil(seconds / minuteInSeconds)} minutes`;
  return `${Math.ceil(seconds / hourInSeconds)} hours`;
};

/** Returns the error message of a rate limit that ends in `seconds`, with the support address. */
export const formatTooManyRequestsMessage = (
  seconds: number,
  { supportEmail }: Pick<Campus, 'supportEmail'>,
): string => `Too many requests. Try again in ${formatWaitingTime(seconds)}, or write to ${supportEmail}.`;

/** The longest wait that an error message describes as "a few minutes". */
const maxFewMinutesWaitSeconds = 15 * minuteInSeconds;

/**
 * Returns the error message "… in a few minutes" (specification §8) for a wait of up to 15 minutes, or
 * undefined for a longer wait.
 */
export const formatFewMinutesMessage = (seconds: number): string | undefined =>
  seconds <= maxFewMinutesWaitSeconds ? generalErrorMessages.rate_limited : undefined;

/**
 * Error messages for people who requested too many codes or entered too many wrong codes or passwords for one
 * account. Most of these messages suggest other ways to log in. They may be about any email address, but only
 * campus addresses get reset links. `seconds` is the time until the limit ends, which every message states.
 */
export const loginLimitMessages = {
  codesHere: (seconds: number) =>
    `Too many codes and links for this address. Use the newest one we sent or another network, or try again in ${formatWaitingTime(seconds)}.`,
  codesToday: (seconds: number) =>
    `Too many codes were requested for this address today. Use your password, a device you logged in on before or, with a campus address, "Forgot password?", or try again in ${formatWaitingTime(seconds)}.`,
  wrongCodesHere: (seconds: number) =>
    `Too many wrong codes from this network. Use your password, another network or, with a campus address, "Forgot password?", or try again in ${formatWaitingTime(seconds)}.`,
  wrongCodesToday: (seconds: number) =>
    `Too many wrong codes for this address today. Use your password, a device you logged in on before or, with a campus address, "Forgot password?", or try again in ${formatWaitingTime(seconds)}.`,
  wrongPasswords: (seconds: number) =>
    `Too many wrong passwords for this account. Use "Email me a code" or, with a campus address, "Forgot password?", or try again in ${formatWaitingTime(seconds)}.`,
  wrongSecondFactors: (seconds: number) =>
    `Too many wrong codes. Try again in ${formatWaitingTime(seconds)}.`,
} as const;

/** The error message for a person who has saved the maximum number of listings. */
export const savedListingsFullMessage = `You can save up to ${maxSavedListings} listings. Please remove some first.`;

/**
 * Returns the error message for a person who has saved many searches recently and has to wait `seconds`
 * before the next one.
 */
export const formatTooManySavedSearchesMessage = (seconds: number): string =>
  `You've saved a lot of searches. You can save another one in ${formatWaitingTime(seconds)}.`;

/** The error message for a person who has saved the maximum number of searches. */
export const savedSearchesFullMessage = `You can save up to ${maxSavedSearches} searches. Please delete one first.`;

/** The error message for a person who has the maximum number of open wanted posts. */
export const wantedPostsFullMessage = `You can look for up to ${maxOpenWantedPosts} things at a time. Please close one first.`;
