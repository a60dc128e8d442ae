import { useNavigate } from 'react-router';
import { links } from '#web/lib/links.ts';
import { logOut, signOutOtherBrowsers } from '#web/lib/session.ts';

/** Returns a function that navigates to the home page and then logs out. */
export const useLogout = (): (() => Promise<void>) => {
  const navigate = useNavigate();
  return async () => {
    await navigate(links.home);
    // If the navigation was canceled in the prompt about unsaved changes, the person stays logged in.
    if (window.location.pathname === links.home) await logOut();
  };
};

/**
 * Returns a function that ends all of the person's sessions, this one last. Throws, and keeps this one, if ending the
 * others fails.
 */
export const useLogoutEverywhere = (): (() => Promise<void>) => {
  const logout = useLogout();
  return async () => {
    await signOutOtherBrowsers();
    await logout();
  };
};
