import { formatFewMinutesMessage, loginLimitMessages } from './limit-messages.ts';

/**
 * What a rate limit counts by. Requests that have this in common, such as the client address, count toward
 * the same limit.
 */
export const rateLimitScopes = {
  caller:
    'the account, or the client address where nobody is signed in; all accounts of one address together may do ten times as much',
  pair: 'the client address together with the account that is named',
  named: 'the named account, regardless of the caller',
} as const;

export interface RateLimitRule {
  /** Maximum number of requests in a time window of `seconds`. */
  points: number;
  /** Length of the time window. */
  seconds: number;
  by: keyof typeof rateLimitScopes;
  what: string;
  /**
   * Factor by which the limit is multiplied for signed-out visitors, who share it with all others
   * at the same client address; 1 by default.
   */
  visitors?: number;
  /**
   * Returns the error message for a caller who has to wait this many seconds. The general message is used
   * when this function is missing or returns undefined.
   */
  sentence?: (seconds: number) => string | undefined;
}

const createRateLimitRule = (
  points: number,
  seconds: number,
  by: RateLimitRule['by'],
  what: string,
  special: Pick<RateLimitRule, 'visitors' | 'sentence'> = {},
): RateLimitRule => ({ points, seconds, by, what, ...special });

const minuteInSeconds = 60;
const hourInSeconds = 3600;
const dayInSeconds = 24 * hourInSeconds;

/**
 * All rate limits. Many people on a campus share a client address, so limits that count by address alone are
 * high. Low limits count by account, or by client address and account together, so that a stranger cannot use
 * up somebody's attempts from another address.
 */
export const rateLimitRules = {
  sign_in: createRateLimitRule(
    300,
    5 * minuteInSeconds,
    'caller',
    'failed log-ins, by password, code or link, from unknown devices',
    {
      sentence: formatFewMinutesMessage,
    },
  ),
  guess: createRateLimitRule(
    20,
    15 * minuteInSeconds,
    'pair',
    'failed log-ins to one account from unknown devices',
    {
      sentence: formatFewMinutesMessage,
    },
  ),
  wrong_password: createRateLimitRule(
    100,
    dayInSeconds,
    'named',
    'wrong passwords in a row from unknown devices',
    {
      sentence: loginLimitMessages.wrongPasswords,
    },
  ),
  wrong_code: createRateLimitRule(
    10,
    dayInSeconds,
    'pair',
    'wrong codes for one address from unknown devices',
    {
      sentence: loginLimitMessages.wrongCodesHere,
    },
  ),
  log_in: createRateLimitRule(120, hourInSeconds, 'named', 'successful log-ins'),
  // Sign-ups are counted by client address only, because a new person has no account or known
  // device. The limit is high, because at the start of a term many people sign up from one address.
  sign_up: createRateLimitRule(60, hourInSeconds, 'caller', 'sign-ups', {
    visitors: 5,
    sentence: formatFewMinutesMessage,
  }),
  codes: createRateLimitRule(
    300,
    hourInSeconds,
    'caller',
    'requests for a code or a reset link from unknown devices',
    {
      sentence: formatFewMinutesMessage,
    },
  ),
  codes_to: createRateLimitRule(
    10,
    dayInSeconds,
    'pair',
    'codes and links for one address from unknown devices',
    {
      sentence: loginLimitMessages.codesHere,
    },
  ),
  own_campus_codes: createRateLimitRule(
    5,
    dayInSeconds,
    'named',
    'codes with which one account adds one campus address',
  ),
  campus_codes: createRateLimitRule(
    20,
    dayInSeconds,
    'named',
    'codes with which any accounts add one campus address',
  ),
  token: createRateLimitRule(
    1200,
    5 * minuteInSeconds,
    'caller',
    'session exchanges and refreshes; without an account, those that fail',
  ),
  sign_on: createRateLimitRule(
    1200,
    5 * minuteInSeconds,
    'caller',
    'starts and ends of log-ins by the university’s sign-on',
  ),
  passkey: createRateLimitRule(1200, 5 * minuteInSeconds, 'caller', 'starts and ends of log-ins by passkey'),
  write: createRateLimitRule(
    120,
    minuteInSeconds,
    'caller',
    'changes to listings, profile, read marks and what is saved',
  ),
  post: createRateLimitRule(120, hourInSeconds, 'caller', 'listings saved'),
  upload: createRateLimitRule(60, hourInSeconds, 'caller', 'uploads, except photos of messages'),
  message_photo: createRateLimitRule(300, hourInSeconds, 'caller', 'photos of messages uploaded'),
  message: createRateLimitRule(120, minuteInSeconds, 'caller', 'messages'),
  deal: createRateLimitRule(120, hourInSeconds, 'caller', 'transitions of deals'),
  form: createRateLimitRule(20, hourInSeconds, 'caller', 'forms sent', { visitors: 5 }),
  report: createRateLimitRule(20, hourInSeconds, 'caller', 'listings, people and messages reported'),
  // Mail providers open the unsubscribe link on behalf of their users, often for many users from one client
  // address, so the limit is high.
  unsubscribe: createRateLimitRule(
    120,
    minuteInSeconds,
    'caller',
    'openings of the link that stops mail about messages',
  ),
  availability_link: createRateLimitRule(
    120,
    minuteInSeconds,
    'caller',
    'openings of the links in emails that ask whether a listing is still available',
  ),
  membership_link: createRateLimitRule(
    120,
    minuteInSeconds,
    'caller',
    'openings of the links in emails that confirm a membership',
  ),
  download: createRateLimitRule(5, hourInSeconds, 'caller', "downloads of all one's data"),
  console: createRateLimitRule(600, minuteInSeconds, 'caller', 'calls of the console'),
  search: createRateLimitRule(1200, minuteInSeconds, 'caller', 'searches, in pages and calls'),
} as const satisfies Record<string, RateLimitRule>;

export type RateLimitName = keyof typeof rateLimitRules;

/**
 * All accounts at one client address together may make this many times as many requests as a single account.
 */
export const sharedIpLimitFactor = 10;

/**
 * Decides how much an account may do: new accounts may do less, and so may accounts without a verified campus
 * address.
 */
export type AccountTier = 'new_unverified' | 'new' | 'unverified' | 'known';

/** How long an account counts as new, in seconds. */
export const newAccountSeconds = 7 * dayInSeconds;

/** The facts about an account that determine its tier. */
export interface AccountTierFacts {
  joinedAt: Date;
  isVerified: boolean;
}

export const getAccountTier = ({ joinedAt, isVerified }: AccountTierFacts, now: Date): AccountTier => {
  const isNew = now.getTime() - joinedAt.getTime() < newAccountSeconds * 1000;
  if (isNew) return isVerified ? 'new' : 'new_unverified';
  return isVerified ? 'known' : 'unverified';
};

/** A maximum number of events (`points`) in a time window (`seconds`). */
export interface Quota {
  points: number;
  seconds: number;
}

/**
 * Returns the number of seconds until a quota allows another event; 0 when it allows one now. `times` are the
 * times of the earlier events, in ascending order.
 */
export const getSecondsUntilAllowed = (
  times: readonly Date[],
  { points, seconds }: Quota,
  now: Date,
): number => {
  // The next event is allowed when this earlier event, the `points`th newest, is no longer in the window.
  const earlier = times.at(-points);
  const free = earlier ? earlier.getTime() + seconds * 1000 - now.getTime() : 0;
  return Math.max(0, Math.ceil(free / 1000));
};

/**
 * How many conversations an account may start in a time window. Only conversations with a first message
 * count; opening one without writing does not. The server counts the stored conversations, not the requests.
 */
export const newConversationLimits = {
  new_unverified: { points: 10, seconds: dayInSeconds },
  new: { points: 20, seconds: dayInSeconds },
  unverified: { points: 30, seconds: hourInSeconds },
  known: { points: 60, seconds: hourInSeconds },
} as const satisfies Record<AccountTier, Quota>;

/**
 * To how many people an account may send nearly the same first message in a time window. Messages shorter
 * than `minComparedMessageLength` are not compared.
 */
export const similarMessageLimits = {
  new_unverified: { points: 3, seconds: hourInSeconds },
  new: { points: 5, seconds: hourInSeconds },
  unverified: { points: 5, seconds: hourInSeconds },
  known: { points: 20, seconds: hourInSeconds },
} as const satisfies Record<AccountTier, Quota>;

/**
 * The moderators are notified when an account has sent this many nearly identical first messages within a
 * day.
 */
export const similarMessageSignalThresholds = {
  new_unverified: 6,
  new: 8,
  unverified: 8,
  known: 30,
} as const satisfies Record<AccountTier, number>;

/**
 * Minimum length in characters of the first messages that are compared. Shorter ones are often the same by
 * chance, because many people send the same greetings and short questions.
 */
export const minComparedMessageLength = 40;
/**
 * Two messages count as nearly the same when they have at least this share of their trigrams in common (0 to
 * 1).
 */
export const messageSimilarityThreshold = 0.7;

/** How many offers of an account may be waiting for an answer at the same time (deals.md, "Limits"). */
export const openOfferLimits = {
  new_unverified: 5,
  new: 10,
  unverified: 5,
  known: 10,
} as const satisfies Record<AccountTier, number>;

/**
 * How many searches an account may save in a time window. In addition, every account may have at most 25
 * saved searches.
 */
export const savedSearchLimits = {
  new_unverified: { points: 5, seconds: dayInSeconds },
  new: { points: 10, seconds: dayInSeconds },
  unverified: { points: 10, seconds: dayInSeconds },
  known: { points: 25, seconds: hourInSeconds },
} as const satisfies Record<AccountTier, Quota>;
