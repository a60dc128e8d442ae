import { signOnProviderName } from '#contract/accounts.ts';
import { links } from './links.ts';
import { getAuthClient } from './session.ts';

/** Returns the URL at which the browser arrives after the university's sign-on; it leads on to `from`. */
const getReturnUrl = (from: string | undefined): string => {
  const url = new URL(links.authCallback, window.location.origin);
  if (from) url.searchParams.set('from', from);
  return url.href;
};

/** Waits until the person comes back by the back button to this page, which the browser may have kept as it was. */
const waitForReturn = (): Promise<void> =>
  new Promise((resolve) => window.addEventListener('pageshow', () => resolve(), { once: true }));

/** Makes the provider ask for the credentials, also if the person is logged in there. */
const forced = { queryParams: { prompt: 'login' } };

/**
 * Leaves the page for the university's sign-on; with `isForced`, the person has to enter their credentials there. Resolves when
 * the person comes back to this page, and rejects when it cannot be left.
 */
export const goToSignOn = async (from?: string, isForced = false): Promise<void> => {
  const options = { redirectTo: getReturnUrl(from), ...(isForced && forced) };
  const { error } = await (await getAuthClient()).signInWithOAuth({ provider: signOnProviderName, options });
  if (error) throw error;
  await waitForReturn();
};

/** Does the same to connect the university's sign-on with the account that is logged in. */
export const goToConnectSignOn = async (from?: string): Promise<void> => {
  const options = { redirectTo: getReturnUrl(from) };
  const { error } = await (await getAuthClient()).linkIdentity({ provider: signOnProviderName, options });
  if (error) throw error;
  await waitForReturn();
};

/** With these errors, a server says that the account is no longer connected, or that it is too old to know proofs. */
const proofByLogInErrors: readonly unknown[] = ['identity_not_found', 'reauthentication_needed'];

/** Does the same to prove, with credentials, that it is still the owner of the session, whose account is connected. */
export const goToProveBySignOn = async (from?: string): Promise<void> => {
  const options = { redirectTo: getReturnUrl(from), ...forced };
  const { error } = await (await getAuthClient()).linkIdentity({ provider: signOnProviderName, options });
  if (proofByLogInErrors.includes(error?.code)) return goToSignOn(from, true);
  if (error) throw error;
  await waitForReturn();
};
