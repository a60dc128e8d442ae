import { useNavigate } from 'react-router';
import { links } from '#web/lib/links.ts';
import { logOut, signOutOtherBrowsers } from '#web/lib/session.ts';

/** Logging out leads home. */
export const useLogout = (): (() => Promise<void>) => {
  const navigate = useNavigate();
  return async () => {
    await navigate(links.home);
    // Still elsewhere: a form with unsaved changes asked, and its owner may choose to stay.
    if (window.location.pathname === links.home) await logOut();
  };
};

/** Ends every session of this person, this one last. Throws, and ends none here, when the server cannot be asked. */
export const useLogoutEverywhere = (): (() => Promise<void>) => {
  const logout = useLogout();
  return async () => {
    await signOutOtherBrowsers();
    await logout();
  };
};
