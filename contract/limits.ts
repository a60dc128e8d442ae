import { accountLimitSentences, inAFewMinutes } from './limit-sentences.ts';

/** What a limit counts by. */
export const countings = {
  caller:
    'the account, or the client address where nobody is signed in; all accounts of one address together may do ten times as much',
  pair: 'the client address together with the account that is named',
  named: 'the account that is named, whoever asks',
} as const;

export interface Limit {
  /** Maximum per window. */
  points: number;
  /** Length of the window. */
  seconds: number;
  by: keyof typeof countings;
  what: string;
  /** Multiple of the limit that all signed-out visitors of one address share; 1 by default. */
  visitors?: number;
  /** Returns the message for a wait in seconds, when the general one is not specific enough. */
  sentence?: (seconds: number) => string | undefined;
}

const limit = (
  points: number,
  seconds: number,
  by: Limit['by'],
  what: string,
  special: Pick<Limit, 'visitors' | 'sentence'> = {},
): Limit => ({ points, seconds, by, what, ...special });

const minute = 60;
const hour = 3600;
const day = 24 * hour;

/**
 * Rate limits. A campus shares few addresses, so limits by address alone are wide, and narrow ones count by account or
 * by client and account together: nobody can use up another person's attempts from elsewhere.
 */
export const limits = {
  sign_in: limit(
    300,
    5 * minute,
    'caller',
    'failed log-ins, by password, code or link, from unknown devices',
    {
      sentence: inAFewMinutes,
    },
  ),
  guess: limit(20, 15 * minute, 'pair', 'failed log-ins to one account from unknown devices', {
    sentence: inAFewMinutes,
  }),
  wrong_password: limit(100, day, 'named', 'wrong passwords in a row from unknown devices', {
    sentence: accountLimitSentences.wrongPasswords,
  }),
  wrong_code: limit(10, day, 'pair', 'wrong codes for one address from unknown devices', {
    sentence: accountLimitSentences.wrongCodesHere,
  }),
  log_in: limit(120, hour, 'named', 'successful log-ins'),
  // Someone who signs up has no account or known device to count by, and at the start of a term many do at one address.
  sign_up: limit(60, hour, 'caller', 'sign-ups', { visitors: 5, sentence: inAFewMinutes }),
  codes: limit(300, hour, 'caller', 'requests for a code or a reset link from unknown devices', {
    sentence: inAFewMinutes,
  }),
  codes_to: limit(10, day, 'pair', 'codes and links for one address from unknown devices', {
    sentence: accountLimitSentences.codesHere,
  }),
  token: limit(
    1200,
    5 * minute,
    'caller',
    'session exchanges and refreshes; without an account, those that fail',
  ),
  write: limit(120, minute, 'caller', 'changes to listings, profile and read marks'),
  post: limit(120, hour, 'caller', 'listings saved'),
  upload: limit(60, hour, 'caller', 'uploads'),
  message: limit(120, minute, 'caller', 'messages'),
  form: limit(20, hour, 'caller', 'forms sent', { visitors: 5 }),
  // Mail providers follow the link on behalf of their users, many of them from one address.
  unsubscribe: limit(120, minute, 'caller', 'openings of the link that stops mail about messages'),
  download: limit(5, hour, 'caller', "downloads of all one's data"),
  search: limit(1200, minute, 'caller', 'searches, in pages and calls'),
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** The accounts of one address together may do this many times what one account may. */
export const sharedFactor = 10;

/**
 * Conversations an account may start with a first message; opening one does not count. An account is new for a week.
 * Counted in the conversations themselves.
 */
export const newConversations = {
  new: { points: 20, seconds: day },
  known: { points: 60, seconds: hour },
  newForSeconds: 7 * day,
} as const;
