import { AuthClient, type Session } from '@supabase/auth-js';

export type AccountClient = InstanceType<typeof AuthClient>;

/**
 * How long a refresh may take, in milliseconds: shorter than the 10 s for which the server forgives the old token, so
 * that a lost answer is asked for again in time.
 */
const refreshTimeoutMs = 8000;

/** One tab after the other; where the browser has no locks (a page without HTTPS), all at once. */
const inTurn = (work: () => Promise<Response>): Promise<Response> =>
  navigator.locks ? navigator.locks.request('quad.refresh', work) : work();

const refreshTokenOf = (body: unknown): unknown => {
  try {
    return JSON.parse(String(body)).refresh_token;
  } catch {
    return undefined;
  }
};

/**
 * The client's way to the server. A refresh is asked for once by all tabs together: one that still holds the old token
 * when another has the new one takes that, since an old token shown too late counts as stolen and ends the session.
 * Being asked to slow down is no refusal: the client is told "try later" in the only form it retries.
 */
const fetchWithTimeout =
  (storedSession: () => Session | null): typeof fetch =>
  (input, init) => {
    if (!String(input).includes('grant_type=refresh_token')) return fetch(input, init);
    return inTurn(async () => {
      const kept = storedSession();
      if (kept && kept.refresh_token !== refreshTokenOf(init?.body)) return Response.json(kept);
      const response = await fetch(input, { ...init, signal: AbortSignal.timeout(refreshTimeoutMs) });
      if (response.status !== 429) return response;
      return new Response(response.body, { status: 503, headers: response.headers });
    });
  };

/** The official client on this site's own server, keeping its session under `storageKey`. */
export const createAccountClient = (storageKey: string, storedSession: () => Session | null): AccountClient =>
  new AuthClient({
    url: `${window.location.origin}/auth/v1`,
    storageKey,
    autoRefreshToken: true,
    persistSession: true,
    // Mails carry codes, never sessions: one that arrives in an address is somebody else's trick.
    detectSessionInUrl: false,
    fetch: fetchWithTimeout(storedSession),
  });
