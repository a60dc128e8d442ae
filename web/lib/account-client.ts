import { AuthClient, type Session } from '@supabase/auth-js';

export type AccountClient = InstanceType<typeof AuthClient>;

/**
 * Timeout of a refresh in milliseconds: less than the 10 s for which the server accepts the old token, so that a lost
 * response is retried in time.
 */
const refreshTimeoutMs = 8000;

/** Runs `work` under a lock shared by all tabs. Without HTTPS there are no locks, so it runs immediately. */
const runUnderRefreshLock = (work: () => Promise<Response>): Promise<Response> =>
  navigator.locks ? navigator.locks.request('quad.refresh', work) : work();

const parseRefreshToken = (body: unknown): unknown => {
  try {
    return JSON.parse(String(body)).refresh_token;
  } catch {
    return undefined;
  }
};

/**
 * Creates the client's `fetch`, which refreshes the token only once for all tabs: a tab with an outdated token uses the
 * session that another tab stored, because the server treats a late use of an old token as theft and ends the session.
 * Replaces status 429 with 503, the only status that the client retries, so that a rate limit does not end the session.
 */
const createClientFetch =
  (readStoredSession: () => Session | null): typeof fetch =>
  (input, init) => {
    if (!String(input).includes('grant_type=refresh_token')) return fetch(input, init);
    return runUnderRefreshLock(async () => {
      const latest = readStoredSession();
      if (latest && latest.refresh_token !== parseRefreshToken(init?.body)) return Response.json(latest);
      const response = await fetch(input, { ...init, signal: AbortSignal.timeout(refreshTimeoutMs) });
      if (response.status !== 429) return response;
      return new Response(response.body, { status: 503, headers: response.headers });
    });
  };

/** Creates the official client for this site's own server, with its session stored under `storageKey`. */
export const createAccountClient = (
  storageKey: string,
  readStoredSession: () => Session | null,
): AccountClient =>
  new AuthClient({
    url: `${window.location.origin}/auth/v1`,
    storageKey,
    autoRefreshToken: true,
    persistSession: true,
    // Emails contain codes, never sessions, so a session in a URL is an attack.
    detectSessionInUrl: false,
    fetch: createClientFetch(readStoredSession),
  });
