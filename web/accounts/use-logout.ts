import { useNavigate } from 'react-router';
import { links } from '#web/lib/links.ts';
import { logOut, signOutOtherBrowsers } from '#web/lib/session.ts';

/** How long a log-out waits for the home page, in milliseconds. */
const homePageTimeoutMs = 1000;

/**
 * Returns a function that navigates to the home page and then logs out, so that a private screen does not
 * first turn into a spinner. If the home page loads slowly, logs out before it is shown.
 */
export const useLogout = (): (() => Promise<void>) => {
  const navigate = useNavigate();
  return async () => {
    await Promise.race([
      navigate(links.home),
      new Promise((resolve) => setTimeout(resolve, homePageTimeoutMs)),
    ]);
    await logOut();
  };
};

/**
 * Returns a function that ends all sessions of the account, this browser's last. If ending the
 * others fails, the function throws and this browser stays logged in.
 */
export const useLogoutEverywhere = (): (() => Promise<void>) => {
  const logout = useLogout();
  return async () => {
    await signOutOtherBrowsers();
    await logout();
  };
};
