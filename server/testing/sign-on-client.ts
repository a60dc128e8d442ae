import { GoTrueClient } from '@supabase/auth-js';
import { createMemoryStorage } from './gotrue-client.ts';
import { createTestBrowser } from './openid-provider.ts';

/** A browser with the official client, unmodified, for the university's sign-on of a server at `publicUrl`. */
export const createSignOnClient = (publicUrl: string) => {
  const browser = createTestBrowser();
  const auth = new GoTrueClient({
    url: `${publicUrl}/auth/v1`,
    flowType: 'pkce',
    autoRefreshToken: false,
    persistSession: true,
    detectSessionInUrl: false,
    storage: createMemoryStorage(),
    storageKey: 'test',
    fetch: (input, init) => browser.request(String(input), init),
  });
  const isCallbackScreen = (url: string): boolean => url.startsWith(`${publicUrl}/auth/callback`);
  /** Goes to the provider and back; returns the URL of the screen that completes log-ins. */
  const visitProvider = async (redirectTo = `${publicUrl}/auth/callback?from=%2Fmessages`): Promise<URL> => {
    const { data } = await auth.signInWithOAuth({
      provider: 'custom:campus' as 'keycloak',
      options: { redirectTo, skipBrowserRedirect: true },
    });
    return browser.follow(data.url ?? '', isCallbackScreen);
  };
  return {
    auth,
    browser,
    isCallbackScreen,
    visitProvider,
    logIn: async () => {
      const url = await visitProvider(`${publicUrl}/auth/callback`);
      return auth.exchangeCodeForSession(url.searchParams.get('code') ?? '');
    },
    post: async (path: string, body: object) => {
      const response = await browser.request(`${publicUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    },
  };
};
