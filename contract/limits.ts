/** What a limit counts by. */
export const countings = {
  caller:
    'the account; for who is not signed in, the client address. All accounts of one address together may do ten times as much',
  pair: 'the client address together with the account that is named',
  named: 'the account that is named, whoever asks',
} as const;

interface Limit {
  /** So many are allowed ... */
  points: number;
  /** ... within so many seconds. */
  seconds: number;
  by: keyof typeof countings;
  what: string;
}

const limit = (points: number, seconds: number, by: Limit['by'], what: string): Limit => ({
  points,
  seconds,
  by,
  what,
});

const minute = 60;
const hour = 3600;
const day = 24 * hour;

/**
 * How often things may be done. A campus shares few addresses, so what counts by address alone is wide, and what is
 * narrow counts by account or by client and account together: nobody can use up another's tries from elsewhere.
 */
export const limits = {
  sign_in: limit(100, 5 * minute, 'caller', 'log-in attempts, by password, code or link'),
  guess: limit(20, 15 * minute, 'pair', 'log-in attempts for one account'),
  wrong_password: limit(
    100,
    day,
    'named',
    'wrong passwords in a row; beyond, only clients the account signed in from in the last 90 days may try',
  ),
  sign_up: limit(60, hour, 'caller', 'sign-ups'),
  codes: limit(100, hour, 'caller', 'requests for a code or a reset link'),
  codes_to: limit(10, day, 'pair', 'codes and links for one address'),
  token: limit(1200, 5 * minute, 'caller', 'session exchanges and refreshes'),
  write: limit(120, minute, 'caller', 'changes to listings, profile and read marks'),
  post: limit(120, hour, 'caller', 'listings saved'),
  upload: limit(60, hour, 'caller', 'uploads'),
  message: limit(120, minute, 'caller', 'messages'),
  form: limit(20, hour, 'caller', 'forms sent'),
  // Mail providers press the link for their readers, many of them from one address.
  unsubscribe: limit(120, minute, 'caller', 'openings of the link that stops mail about messages'),
  download: limit(5, hour, 'caller', "downloads of all one's data"),
  search: limit(1200, minute, 'caller', 'searches, in pages and calls'),
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** The accounts of one address together may do this many times what one account may. */
export const sharedFactor = 10;

/**
 * Conversations an account may open; finding one that exists does not count. An account is new for a week.
 * Counted in the conversations themselves.
 */
export const openings = {
  new: { points: 20, seconds: day },
  known: { points: 60, seconds: hour },
  newForSeconds: 7 * day,
} as const;
