import type { Clock } from '#server/platform/clock.ts';

/** Maximum number of requests that this process has open at the same time for one account's browsers. */
const requestsPerAccount = 4;
/** How long a push waits when its account has reached `requestsPerAccount`, in seconds. */
const waitForAccountSeconds = 1;
/**
 * How long a browser gets no pushes after its push service failed to respond, in seconds. The time doubles
 * with each further failure, up to `maxPauseSeconds`.
 */
const firstPauseSeconds = 60;
const maxPauseSeconds = 3600;

interface Pause {
  /** When the pause ends, in milliseconds of `clock.elapsed()`. */
  endsAt: number;
  seconds: number;
}

interface PushBrowser {
  subscriptionId: string;
  userId: string;
}

/** Limits on the requests to push services. */
export interface PushThrottle {
  /** Returns how many seconds a push has to wait; 0 when it can be sent now. */
  getWaitSeconds(browser: PushBrowser): number;
  /**
   * Runs a request for a browser. If the push service of the browser does not respond, pauses the browser.
   */
  run<Outcome extends string>(browser: PushBrowser, request: () => Promise<Outcome>): Promise<Outcome>;
}

/**
 * Creates the limits that keep a few accounts from using up all concurrent requests of this process. Such
 * accounts could subscribe browsers with their own push services, which never respond. The state is in
 * memory, because these limits apply to one process.
 */
export const createPushThrottle = (clock: Pick<Clock, 'elapsed'>): PushThrottle => {
  const openRequests = new Map<string, number>();
  const pauses = new Map<string, Pause>();

  const getPauseSeconds = (subscriptionId: string): number => {
    const remaining = (pauses.get(subscriptionId)?.endsAt ?? 0) - clock.elapsed();
    return Math.max(0, Math.ceil(remaining / 1000));
  };

  const pause = (subscriptionId: string): void => {
    // When several concurrent requests for a browser time out, only the first one starts or extends its pause.
    if (getPauseSeconds(subscriptionId) > 0) return;
    const now = clock.elapsed();
    const previous = pauses.get(subscriptionId)?.seconds ?? firstPauseSeconds / 2;
    for (const [id, { endsAt }] of pauses) if (endsAt + maxPauseSeconds * 1000 < now) pauses.delete(id);
    const seconds = Math.min(previous * 2, maxPauseSeconds);
    pauses.set(subscriptionId, { endsAt: now + seconds * 1000, seconds });
  };

  return {
    getWaitSeconds: ({ subscriptionId, userId }) => {
      const isAccountBusy = (openRequests.get(userId) ?? 0) >= requestsPerAccount;
      return Math.max(getPauseSeconds(subscriptionId), isAccountBusy ? waitForAccountSeconds : 0);
    },

    run: async ({ subscriptionId, userId }, request) => {
      openRequests.set(userId, (openRequests.get(userId) ?? 0) + 1);
      try {
        const outcome = await request();
        if (outcome === 'unanswered') pause(subscriptionId);
        else pauses.delete(subscriptionId);
        return outcome;
      } finally {
        const others = (openRequests.get(userId) ?? 1) - 1;
        if (others > 0) openRequests.set(userId, others);
        else openRequests.delete(userId);
      }
    },
  };
};
