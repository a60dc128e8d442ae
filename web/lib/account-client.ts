import { AuthClient, type Session } from '@supabase/auth-js';

export type AccountClient = InstanceType<typeof AuthClient>;

/**
 * Timeout of a refresh in milliseconds: less than the 10 s for which the server accepts the old token, so that a lost
 * response is retried in time.
 */
const refreshTimeoutMs = 8000;

/** Runs tabs one after the other; concurrently where the browser has no locks (a page without HTTPS). */
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
 * The client's fetch. All tabs together refresh once: a tab that still holds the old token when another has the new one
 * uses that, since an old token presented too late counts as stolen and ends the session. A rate limit is not a refusal:
 * it is passed to the client as the only status that it retries.
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
