import type { Session, User } from '@supabase/auth-js';
import type { BrowserAuthClient } from './auth-client.ts';
import { importLazyScript } from './lazy-script.ts';
import { createListeners } from './listeners.ts';
import {
  eraseAccountData,
  eraseOnAccountChange,
  hasAccountLoggedOut,
  readBrowserText,
  writeBrowserText,
} from './stored-values.ts';

/** The session of this browser. `isAuthenticated` is true only when both user and session exist. */
export interface SessionSnapshot {
  /** True during server rendering, and in the browser until the stored session has been read. */
  loading: boolean;
  isAuthenticated: boolean;
  /** True while the log-in is not complete, because the account's second factor is still required. */
  awaitsSecondFactor: boolean;
  user: User | null;
  session: Session | null;
}

export const unknownSession: SessionSnapshot = {
  loading: true,
  isAuthenticated: false,
  awaitsSecondFactor: false,
  user: null,
  session: null,
};
const signedOutView: SessionSnapshot = { ...unknownSession, loading: false };

let currentSessionSnapshot = unknownSession;
let authClientPromise: Promise<BrowserAuthClient> | undefined;
let isWatchingSession = false;
/**
 * Whether this tab's last session ended because the person logged out, in this or another tab, and
 * not because it expired.
 */
let didLogOut = false;
/**
 * The id of the user of this tab's latest session. `logOut` needs this id, because an account deletion
 * can end the session before `logOut` is called.
 */
let lastUserId: string | undefined;
const { subscribe, notify } = createListeners();

/** Parses the session that the auth client stored. Returns null if it is missing or incomplete. */
export const parseStoredSession = (text: string | null): Session | null => {
  if (!text) return null;
  try {
    const stored = JSON.parse(text) as Partial<Session> | null;
    return stored?.access_token && stored.refresh_token && stored.user?.id ? (stored as Session) : null;
  } catch {
    return null;
  }
};

const readStoredSession = (): Session | null => parseStoredSession(readBrowserText('quad.session'));

/** Returns whether the account has a password. Returns true if nobody is signed in. */
export const hasPassword = (user: User | null | undefined): boolean =>
  user?.app_metadata.has_password !== false;

/**
 * Erases what forms saved on this device for the user who logged out last. Every tab does this,
 * because the tab that logs out may be closed before it has erased everything.
 */
const eraseLoggedOutUserData = (): void => {
  const userId = readBrowserText('quad.logged-out');
  if (!userId) return;
  // The session may have ended before the log-out was recorded, for example when an account was
  // deleted.
  if (userId === lastUserId) didLogOut = true;
  void eraseAccountData(userId);
};

/** Returns whether the server refuses the session until the second factor has been completed. */
const isIncomplete = (stored: Session | null): boolean =>
  stored?.user.app_metadata?.awaits_second_factor === true;

/** Returns as one text what changes about an account without a new `updated_at`: its passwords, passkeys and sign-ons. */
const describeLogIns = (user: User | undefined): string =>
  JSON.stringify([user?.app_metadata, user?.identities]);

const updateSession = (stored: Session | null): void => {
  const awaitsSecondFactor = isIncomplete(stored);
  const session = awaitsSecondFactor ? null : stored;
  const isSameSession =
    !currentSessionSnapshot.loading &&
    currentSessionSnapshot.awaitsSecondFactor === awaitsSecondFactor &&
    currentSessionSnapshot.session?.access_token === session?.access_token &&
    currentSessionSnapshot.session?.user.updated_at === session?.user.updated_at &&
    describeLogIns(currentSessionSnapshot.session?.user) === describeLogIns(session?.user);
  if (isSameSession) return;
  const previousId = currentSessionSnapshot.user?.id;
  if (session) {
    if (session.user.id !== previousId) {
      didLogOut = false;
      writeBrowserText('quad.logged-out', null);
    }
    lastUserId = session.user.id;
  } else if (lastUserId && hasAccountLoggedOut(lastUserId)) didLogOut = true;
  if (session?.user.id !== previousId) eraseOnAccountChange(previousId, session?.user.id, didLogOut);
  currentSessionSnapshot = session
    ? { ...signedOutView, isAuthenticated: Boolean(session.user), user: session.user, session }
    : { ...signedOutView, awaitsSecondFactor };
  notify();
};

const createClient = async (): Promise<BrowserAuthClient> => {
  const { createAuthClient } = await importLazyScript(() => import('./auth-client.ts'));
  const created = createAuthClient(readStoredSession);
  created.onAuthStateChange((event, session) => {
    // While the server is unreachable, the client's first event contains no session, even if one is
    // still stored.
    updateSession(session ?? (event === 'INITIAL_SESSION' ? readStoredSession() : null));
  });
  return created;
};

/** Returns the auth client, loaded on first use, so that signed-out visitors never load it. */
export const getAuthClient = (): Promise<BrowserAuthClient> => {
  authClientPromise ??= createClient().catch((error: unknown) => {
    authClientPromise = undefined;
    throw error;
  });
  return authClientPromise;
};

/** Starts loading the auth client before it is needed, for example on an account screen. */
export const preloadAuthClient = (): void => {
  getAuthClient().catch(() => {
    // Ignore a failure to load the auth client's script. The next call of `getAuthClient` loads it
    // again and reports a failure.
  });
};

const startWatchingSession = (): void => {
  if (isWatchingSession || typeof window === 'undefined') return;
  isWatchingSession = true;
  eraseLoggedOutUserData();
  updateSession(readStoredSession());
  if (currentSessionSnapshot.isAuthenticated) preloadAuthClient();
  // A `storage` event means that another tab logged in or out, or renewed the token.
  window.addEventListener('storage', (event) => {
    if (event.key === 'quad.logged-out') eraseLoggedOutUserData();
    if (event.key !== 'quad.session' && event.key !== null) return;
    updateSession(readStoredSession());
    if (currentSessionSnapshot.isAuthenticated) preloadAuthClient();
  });
};

export const getSessionSnapshot = (): SessionSnapshot => {
  startWatchingSession();
  return currentSessionSnapshot;
};

/**
 * Calls `listener` after a log-in, log-out, token renewal or user change in any tab. Returns an unsubscribe function.
 */
export const onSessionChange = (listener: () => void): (() => void) => {
  startWatchingSession();
  return subscribe(listener);
};

/** Returns the access token, renewed if it is about to expire, or undefined if nobody is signed in. */
export const getAccessToken = async (): Promise<string | undefined> => {
  if (!getSessionSnapshot().session) return undefined;
  const { data } = await (await getAuthClient()).getSession();
  return data.session?.access_token;
};

/**
 * Names of auth client errors after which the session may still be valid, because they do not mean that the
 * server has refused to refresh it.
 */
const inconclusiveErrorNames = ['AuthRetryableFetchError', 'AuthRefreshDiscardedError'];

/**
 * Requests a new token after the server refused the current one. If the session has ended, also ends it
 * in this browser and returns undefined.
 */
export const renewAccessToken = async (): Promise<string | undefined> => {
  if (!getSessionSnapshot().session) return undefined;
  const account = await getAuthClient();
  const { data, error } = await account.refreshSession();
  if (!error) return data.session?.access_token;
  if (inconclusiveErrorNames.includes(error.name)) return getAccessToken();
  await signOutThisBrowser();
  return undefined;
};

/** Checks with the server whether the session is still valid, and removes it from this browser if it is not. */
export const checkSessionWithServer = async (): Promise<void> => {
  if (getSessionSnapshot().session) await (await getAuthClient()).getUser();
};

/** Ends the account's sessions in all other browsers. Throws if the request fails. */
export const signOutOtherBrowsers = async (): Promise<void> => {
  const { error } = await (await getAuthClient()).signOut({ scope: 'others' });
  if (error) throw error;
};

/**
 * Ends this browser's session, records that the person chose to log out, and erases what their forms saved on this
 * device.
 */
export const logOut = async (): Promise<void> => {
  didLogOut = true;
  writeBrowserText('quad.logged-out', lastUserId ?? null);
  // Start erasing now, because saved texts are erased synchronously, before the tab can be closed.
  const erasing = lastUserId && eraseAccountData(lastUserId);
  await signOutThisBrowser();
  await erasing;
};

/** Returns whether the person logged out, in this or another tab, as opposed to losing the session. */
export const hasLoggedOut = (): boolean => didLogOut;

/**
 * Ends this browser's session, even if the server cannot be reached. Other devices stay logged in.
 */
export const signOutThisBrowser = async (): Promise<void> => {
  await (await getAuthClient()).signOut({ scope: 'local' });
};
