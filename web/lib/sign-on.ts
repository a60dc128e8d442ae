import { signOnProviderName } from '#contract/accounts.ts';
import { links } from './links.ts';
import { getAuthClient } from './session.ts';

/** Returns the URL at which the browser arrives after the university's sign-on; it leads on to `from`. */
const getReturnUrl = (from: string | undefined): string => {
  const url = new URL(links.authCallback, window.location.origin);
  if (from) url.searchParams.set('from', from);
  return url.href;
};

/** Leaves the page for the university's sign-on. Rejects when the page cannot be left. */
export const goToSignOn = async (from?: string): Promise<void> => {
  const options = { redirectTo: getReturnUrl(from) };
  const { error } = await (await getAuthClient()).signInWithOAuth({ provider: signOnProviderName, options });
  if (error) throw error;
};

/** Leaves the page for the university's sign-on, to connect it with the account that is logged in. */
export const goToConnectSignOn = async (from: string): Promise<void> => {
  const options = { redirectTo: getReturnUrl(from) };
  const { error } = await (await getAuthClient()).linkIdentity({ provider: signOnProviderName, options });
  if (error) throw error;
};
