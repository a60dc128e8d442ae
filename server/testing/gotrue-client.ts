import { GoTrueClient } from '@supabase/auth-js';
import type { TestApp } from './app.ts';
import { getListeningPort } from './raw-socket.ts';

/** Creates a storage for the official client. */
export const createMemoryStorage = () => {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
};

/**
 * Creates the official GoTrue client, which keeps its session in memory. The application must be listening on
 * a port.
 */
export const createGoTrueClient = ({ server }: Pick<TestApp, 'server'>) =>
  new GoTrueClient({
    url: `http://127.0.0.1:${getListeningPort(server.server)}/auth/v1`,
    autoRefreshToken: false,
    persistSession: true,
    storage: createMemoryStorage(),
    storageKey: 'test',
    experimental: { recoveryCodes: true },
  });

/**
 * Logs in by password with the official GoTrue client. If the person has set up a second factor, it is not
 * yet verified in the session.
 */
export const logInWithGoTrueClient = async (
  testApp: Pick<TestApp, 'server'>,
  { email, password }: { email: string; password: string },
) => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: '/functions/v1/login-password',
    payload: { email, password },
  });
  const client = createGoTrueClient(testApp);
  const { data, error } = await client.signInWithPassword({ email, password: response.json().authPassword });
  if (error || !data.session) throw error ?? new Error('no session');
  return { client, session: data.session };
};
