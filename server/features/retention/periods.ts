import { knownDeviceLifetimeSeconds } from '#contract/accounts.ts';
import { dayInSeconds, hourInSeconds } from '#server/platform/clock.ts';

interface RetentionPeriod {
  seconds: number;
  what: string;
  /** The event that starts the period, as worded in the documentation. */
  from: string;
}

/** Retention periods, in the order in which the hourly job applies them. */
export const retentionPeriods = {
  codes: {
    seconds: dayInSeconds,
    what: 'codes sent by mail, with the counts of their daily cap',
    from: 'the last one of an address expired',
  },
  campusAddresses: {
    seconds: dayInSeconds,
    what: 'campus addresses that were not verified',
    from: 'the last code for them was requested',
  },
  resetTokens: { seconds: 0, what: 'links to set a new password', from: 'they expire' },
  authPasswords: { seconds: 0, what: 'credentials between log-in and session', from: 'they expire' },
  signOnFlows: {
    seconds: 0,
    what: 'log-ins by the university’s sign-on that were not completed',
    from: 'they expire',
  },
  passkeyChallenges: { seconds: 0, what: 'log-ins by passkey that were not completed', from: 'they expire' },
  sessions: { seconds: 30 * dayInSeconds, what: 'sessions', from: 'they were last used' },
  enrollments: {
    seconds: hourInSeconds,
    what: 'second factors whose first code was not entered',
    from: 'their set-up began',
  },
  refreshTokens: { seconds: 30 * dayInSeconds, what: 'replaced refresh tokens', from: 'they were replaced' },
  rateCounts: { seconds: 0, what: 'counts of the rate limits', from: 'they expire' },
  heartbeats: {
    seconds: hourInSeconds,
    what: 'numbers by which server processes measure the lag of standbys',
    from: 'they were written',
  },
  knownDevices: {
    seconds: knownDeviceLifetimeSeconds,
    what: 'browsers that an account is known to log in from',
    from: 'the last log-in there',
  },
  suspendedAddresses: {
    seconds: 0,
    what: 'keyed hashes of the addresses of suspended accounts that were deleted',
    from: 'the suspension would have ended, two years after the deletion at the latest',
  },
  signingKeys: {
    seconds: 0,
    what: 'replaced signing keys',
    from: 'an hour after the last token they signed expired',
  },
  mailbox: { seconds: 7 * dayInSeconds, what: 'mails of the development mailbox', from: 'they were written' },
  securityEvents: {
    seconds: 90 * dayInSeconds,
    what: 'what is noted of security events',
    from: 'they happened',
  },
  listingPrices: {
    seconds: 30 * dayInSeconds,
    what: 'earlier prices of listings',
    from: 'they were last in effect',
  },
  notifications: { seconds: 90 * dayInSeconds, what: 'notifications', from: 'the last event in them' },
  wantedPosts: {
    seconds: 90 * dayInSeconds,
    what: 'wanted posts',
    from: 'the last day of the search',
  },
  emptyConversations: {
    seconds: 30 * dayInSeconds,
    what: 'conversations that were opened without sending a message',
    from: 'they were opened',
  },
  forms: {
    seconds: 2 * 365 * dayInSeconds,
    what: 'reports, questions, deletion requests, and applications with their resumes',
    from: 'they were marked as done, or arrived if they never were',
  },
  cases: {
    seconds: 2 * 365 * dayInSeconds,
    what: 'cases of moderators with their reports and quotes',
    from: 'they were resolved',
  },
  unconfirmed: {
    seconds: 7 * dayInSeconds,
    what: 'accounts whose address was never confirmed, with everything of theirs',
    from: 'the last sign-up',
  },
} as const satisfies Record<string, RetentionPeriod>;
