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

/** Signs the browser in as the account of the recorded responses. */
export const signIn = (): void => {
  localStorage.setItem('quad.session', JSON.stringify(createTestSession()));
  // A session module that is already loaded learns of the session as if another tab had logged in.
  window.dispatchEvent(new StorageEvent('storage', { key: 'quad.session' }));
};
