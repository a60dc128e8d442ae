import { getRecorded } from './recorded.ts';

const { id, email, updated_at } = getRecorded('getMe');

/** Returns a session of the account of the recorded responses, as `/auth/v1/token` does. */
export const createTestSession = () => ({
  access_token: 'test-access-token',
  refresh_token: 'test-refresh-token',
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  user: {
    id,
    email,
    aud: 'authenticated',
    app_metadata: {},
    user_metadata: {},
    created_at: updated_at,
  },
});

/** Stores a session, or ends the current one. The session module learns of it as if it had happened in another tab. */
export const storeSession = (session: object | null): void => {
  if (session) localStorage.setItem('quad.session', JSON.stringify(session));
  else localStorage.removeItem('quad.session');
  window.dispatchEvent(new StorageEvent('storage', { key: 'quad.session' }));
};

/** Signs the browser in as the account of the recorded responses. */
export const signIn = (): void => storeSession(createTestSession());

/** Ends the session of an earlier test. */
export const signOut = (): void => storeSession(null);
