import { accountLimitSentences, fewMinutesSentence } from './limit-sentences.ts';

/** Scopes of rate limits: what the requests counted toward one limit have in common. */
export const limitScopes = {
  caller:
    'the account, or the client address where nobody is signed in; all accounts of one address together may do ten times as much',
  pair: 'the client address together with the account that is named',
  named: 'the account that is named, whoever asks',
} as const;

export interface Limit {
  /** Maximum number of requests in a window. */
  points: number;
  /** Length of the window in seconds. */
  seconds: number;
  by: keyof typeof limitScopes;
  what: string;
  /** Multiplies the limit for all signed-out visitors of one client address together; 1 by default. */
  visitors?: number;
  /**
   * Returns the error message for a wait in seconds. When it returns undefined or is missing, the general message is
   * used.
   */
  sentence?: (seconds: number) => string | undefined;
}

const createLimit = (
  points: number,
  seconds: number,
  by: Limit['by'],
  what: string,
  special: Pick<Limit, 'visitors' | 'sentence'> = {},
): Limit => ({ points, seconds, by, what, ...special });

const minuteInSeconds = 60;
const hourInSeconds = 3600;
const dayInSeconds = 24 * hourInSeconds;

/**
 * Rate limits. Many people on a campus share a client address, so limits that count only by address are high. Low
 * limits count by account, or by client address and account together, so that nobody can use up another person's
 * attempts from elsewhere.
 */
export const limits = {
  sign_in: createLimit(
    300,
    5 * minuteInSeconds,
    'caller',
    'failed log-ins, by password, code or link, from unknown devices',
    {
      sentence: fewMinutesSentence,
    },
  ),
  guess: createLimit(20, 15 * minuteInSeconds, 'pair', 'failed log-ins to one account from unknown devices', {
    sentence: fewMinutesSentence,
  }),
  wrong_password: createLimit(100, dayInSeconds, 'named', 'wrong passwords in a row from unknown devices', {
    sentence: accountLimitSentences.wrongPasswords,
  }),
  wrong_code: createLimit(10, dayInSeconds, 'pair', 'wrong codes for one address from unknown devices', {
    sentence: accountLimitSentences.wrongCodesHere,
  }),
  log_in: createLimit(120, hourInSeconds, 'named', 'successful log-ins'),
  // A person who signs up has no account or known device to count by, and at the start of a term many people sign up
  // from one address.
  sign_up: createLimit(60, hourInSeconds, 'caller', 'sign-ups', {
    visitors: 5,
    sentence: fewMinutesSentence,
  }),
  codes: createLimit(
    300,
    hourInSeconds,
    'caller',
    'requests for a code or a reset link from unknown devices',
    {
      sentence: fewMinutesSentence,
    },
  ),
  codes_to: createLimit(10, dayInSeconds, 'pair', 'codes and links for one address from unknown devices', {
    sentence: accountLimitSentences.codesHere,
  }),
  token: createLimit(
    1200,
    5 * minuteInSeconds,
    'caller',
    'session exchanges and refreshes; without an account, those that fail',
  ),
  write: createLimit(120, minuteInSeconds, 'caller', 'changes to listings, profile and read marks'),
  post: createLimit(120, hourInSeconds, 'caller', 'listings saved'),
  upload: createLimit(60, hourInSeconds, 'caller', 'uploads'),
  message: createLimit(120, minuteInSeconds, 'caller', 'messages'),
  form: createLimit(20, hourInSeconds, 'caller', 'forms sent', { visitors: 5 }),
  // Mail providers open the link on behalf of their users, often many of them from one address.
  unsubscribe: createLimit(
    120,
    minuteInSeconds,
    'caller',
    'openings of the link that stops mail about messages',
  ),
  download: createLimit(5, hourInSeconds, 'caller', "downloads of all one's data"),
  search: createLimit(1200, minuteInSeconds, 'caller', 'searches, in pages and calls'),
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** Multiplies the limit of one account for all accounts of one client address together. */
export const sharedAddressFactor = 10;

/**
 * How many conversations an account may start per window by sending a first message; opening a conversation does not
 * count. `new` applies to accounts younger than `newForSeconds`, `known` to all others. The conversations themselves
 * are counted.
 */
export const newConversations = {
  new: { points: 20, seconds: dayInSeconds },
  known: { points: 60, seconds: hourInSeconds },
  newForSeconds: 7 * dayInSeconds,
} as const;
