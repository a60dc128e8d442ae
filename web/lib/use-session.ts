import { useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { links } from './links.ts';
import {
  logOut,
  onSessionChange,
  type SessionView,
  sessionNow,
  signOutOthers,
  unknownSession,
} from './session.ts';

/** The session of this browser; on the server and in the first paint it is not known yet. */
export const useSession = (): SessionView =>
  useSyncExternalStore(onSessionChange, sessionNow, () => unknownSession);

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
    await signOutOthers();
    await logout();
  };
};
