import type { Session, User } from '@supabase/auth-js';
import type { AccountClient } from './account-client.ts';
import { importLazyScript } from './lazy-script.ts';

/** The session of this browser. `isAuthenticated` is true only when both user and session exist. */
export interface SessionView {
  /** True during server rendering, and in the browser until its storage has been read. */
  loading: boolean;
  isAuthenticated: boolean;
  user: User | null;
  session: Session | null;
}

export const sessionStorageKey = 'quad.session';

export const unknownSession: SessionView = {
  loading: true,
  isAuthenticated: false,
  user: null,
  session: null,
};
const signedOutView: SessionView = { ...unknownSession, loading: false };

let currentView = unknownSession;
let clientPromise: Promise<AccountClient> | undefined;
let isStarted = false;
/** Whether this tab's last session ended because the person logged out, and not because it expired. */
let didLogOut = false;
const listeners = new Set<() => void>();

/** Parses the session that the account client stored. Returns null if it is missing or incomplete. */
export const parseStoredSession = (text: string | null): Session | null => {
  if (!text) return null;
  try {
    const stored = JSON.parse(text) as Partial<Session> | null;
    return stored?.access_token && stored.refresh_token && stored.user?.id ? (stored as Session) : null;
  } catch {
    return null;
  }
};

const readStoredSession = (): Session | null => {
  try {
    return parseStoredSession(window.localStorage.getItem(sessionStorageKey));
  } catch {
    // Storage may be blocked; the client then keeps the session in memory.
    return null;
  }
};

/** Returns whether the account has a password; true if nobody is signed in. */
export const hasPassword = (user: User | null | undefined): boolean =>
  user?.app_metadata.has_password !== false;

const updateSession = (session: Session | null): void => {
  const isSameSession =
    !currentView.loading &&
    currentView.session?.access_token === session?.access_token &&
    currentView.session?.user.updated_at === session?.user.updated_at &&
    hasPassword(currentView.session?.user) === hasPassword(session?.user);
  if (isSameSession) return;
  if (session) didLogOut = false;
  currentView = session
    ? { loading: false, isAuthenticated: Boolean(session.user), user: session.user, session }
    : signedOutView;
  for (const listener of listeners) listener();
};

const createClient = async (): Promise<AccountClient> => {
  const { createAccountClient } = await importLazyScript(() => import('./account-client.ts'));
  const created = createAccountClient(sessionStorageKey, readStoredSession);
  created.onAuthStateChange((event, session) => {
    // While the server is unreachable, the client's first event carries no session although one is still stored.
    updateSession(session ?? (event === 'INITIAL_SESSION' ? readStoredSession() : null));
  });
  return created;
};

/** Returns the account client, loaded on first use, so that signed-out visitors never load it. */
export const getAccountClient = (): Promise<AccountClient> => {
  clientPromise ??= createClient().catch((error: unknown) => {
    clientPromise = undefined;
    throw error;
  });
  return clientPromise;
};

/** Starts loading the account client before it is needed, for example on an account screen. */
export const preloadAccountClient = (): void => {
  getAccountClient().catch(() => {
    // The script could not be loaded; the next use retries and reports it.
  });
};

const startWatchingSession = (): void => {
  if (isStarted || typeof window === 'undefined') return;
  isStarted = true;
  updateSession(readStoredSession());
  if (currentView.isAuthenticated) preloadAccountClient();
  // Another tab logged in or out, or renewed the token.
  window.addEventListener('storage', (event) => {
    if (event.key !== sessionStorageKey && event.key !== null) return;
    updateSession(readStoredSession());
    if (currentView.isAuthenticated) preloadAccountClient();
  });
};

export const getSessionView = (): SessionView => {
  startWatchingSession();
  return currentView;
};

/**
 * Calls `listener` after a log-in, log-out, token renewal or user change in any tab. Returns an unsubscribe function.
 */
export const onSessionChange = (listener: () => void): (() => void) => {
  startWatchingSession();
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the access token, renewed if it is about to expire; undefined when signed out. */
export const getAccessToken = async (): Promise<string | undefined> => {
  if (!getSessionView().session) return undefined;
  const { data } = await (await getAccountClient()).getSession();
  return data.session?.access_token;
};

/** Names of errors after which the session may still be valid: the refresh failed, but the server did not refuse it. */
const inconclusiveErrorNames = ['AuthRetryableFetchError', 'AuthRefreshDiscardedError'];

/**
 * Requests a new token after the server refused the current one. Returns undefined when the session has ended, and then
 * also ends it in this browser.
 */
export const renewAccessToken = async (): Promise<string | undefined> => {
  if (!getSessionView().session) return undefined;
  const account = await getAccountClient();
  const { data, error } = await account.refreshSession();
  if (!error) return data.session?.access_token;
  if (inconclusiveErrorNames.includes(error.name)) return getAccessToken();
  await signOut();
  return undefined;
};

/** Checks with the server whether the session is still valid, and removes it from this browser if it is not. */
export const confirmSession = async (): Promise<void> => {
  if (getSessionView().session) await (await getAccountClient()).getUser();
};

/** Ends the account's sessions in all other browsers. Throws when that fails. */
export const signOutOtherBrowsers = async (): Promise<void> => {
  const { error } = await (await getAccountClient()).signOut({ scope: 'others' });
  if (error) throw error;
};

/** Ends this browser's session and records that the person chose to log out. */
export const logOut = async (): Promise<void> => {
  didLogOut = true;
  await signOut();
};

/** Returns whether the person logged out in this tab, as opposed to losing the session. */
export const hasLoggedOut = (): boolean => didLogOut;

/** Ends this browser's session, also when the server cannot be reached. Other devices stay logged in. */
export const signOut = async (): Promise<void> => {
  await (await getAccountClient()).signOut({ scope: 'local' });
};
