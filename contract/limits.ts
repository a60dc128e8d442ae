/**
 * How often things may be done. Each limit counts by account where there is one and by client address always.
 * `points` are allowed within `seconds`.
 */
export const limits = {
  sign_in: { points: 20, seconds: 300, what: 'log-in attempts, by password or code' },
  sign_up: { points: 10, seconds: 3600, what: 'sign-ups' },
  codes: { points: 20, seconds: 3600, what: 'requests for a code or a reset link' },
  token: { points: 120, seconds: 300, what: 'session exchanges and refreshes' },
  write: { points: 120, seconds: 60, what: 'changes to listings, profile and read marks' },
  upload: { points: 60, seconds: 3600, what: 'uploads' },
  message: { points: 120, seconds: 60, what: 'messages' },
  open: { points: 60, seconds: 3600, what: 'conversations opened' },
  form: { points: 20, seconds: 3600, what: 'forms sent' },
  // Mail providers press the link for their readers, many of them from one address.
  unsubscribe: { points: 120, seconds: 60, what: 'openings of the link that stops mail about messages' },
  read: { points: 600, seconds: 60, what: 'reads' },
} as const;

export type LimitName = keyof typeof limits;
