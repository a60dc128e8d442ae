import { signOnProviderName } from '#contract/accounts.ts';
import { useSession } from './use-session.ts';

/** Returns whether the account that is logged in is connected with the university's sign-on. */
export const useIsSignOnConnected = (): boolean =>
  useSession().user?.identities?.some(({ provider }) => provider === signOnProviderName) ?? false;
