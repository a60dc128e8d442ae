import { AuthClient, type Session } from '@supabase/auth-js';
import type { BrowserKey } from './stored-values.ts';

export type BrowserAuthClient = InstanceType<typeof AuthClient>;

/**
 * Timeout of a token refresh in milliseconds. The server accepts the old token for 10 s after a refresh,
 * so this shorter timeout leaves time for a retry if the response was lost.
 */
const refreshTimeoutMs = 8000;

/**
 * Runs `work` under a lock shared by all tabs. The Web Locks API is missing without HTTPS; `work`
 * then runs immediately.
 */
const withRefreshLock = (work: () => Promise<Response>): Promise<Response> =>
  navigator.locks ? navigator.locks.request('quad.refresh', work) : work();

const parseRefreshToken = (body: unknown): unknown => {
  try {
    return JSON.parse(String(body)).refresh_token;
  } catch {
    return undefined;
  }
};

/**
 * Creates the `fetch` function of the auth client. Only one tab at a time refreshes the token. A
 * tab with an outdated token gets the session that another tab has stored, because the server
 * treats late use of an old token as theft and ends the session. Status 429 is replaced with 503,
 * which the auth client retries, so that a rate limit does not end the session.
 */
const createClientFetch =
  (readStoredSession: () => Session | null): typeof fetch =>
  (input, init) => {
    if (!String(input).includes('grant_type=refresh_token')) return fetch(input, init);
    return withRefreshLock(async () => {
      const latest = readStoredSession();
      if (latest && latest.refresh_token !== parseRefreshToken(init?.body)) return Response.json(latest);
      const response = await fetch(input, { ...init, signal: AbortSignal.timeout(refreshTimeoutMs) });
      if (response.status !== 429) return response;
      return new Response(response.body, { status: 503, headers: response.headers });
    });
  };

/** Creates the official Supabase auth client for this site's own server. */
export const createAuthClient = (readStoredSession: () => Session | null): BrowserAuthClient =>
  new AuthClient({
    url: `${window.location.origin}/auth/v1`,
    storageKey: 'quad.session' satisfies BrowserKey,
    autoRefreshToken: true,
    persistSession: true,
    // Never take a session from the URL: emails from this site contain codes instead of sessions, so a URL
    // with a session can only be an attack. The code of the university's sign-on is exchanged by its screen.
    detectSessionInUrl: false,
    // The university's sign-on returns a code, which only the browser that began can exchange for a session.
    flowType: 'pkce',
    // The redirect URL names its log-in, so that log-ins in several tabs do not take each other's secrets.
    experimental: { recoveryCodes: true, appendPkceFlowIdToRedirects: true },
    fetch: createClientFetch(readStoredSession),
  });
