import { useNavigate } from 'react-router';
import { links } from '#web/lib/links.ts';
import { logOut, signOutOtherBrowsers } from '#web/lib/session.ts';

/** Returns a function that navigates to the home page and then logs out. */
export const useLogout = (): (() => Promise<void>) => {
  const navigate = useNavigate();
  return async () => {
    await navigate(links.home);
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
