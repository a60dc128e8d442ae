import { useSyncExternalStore } from 'react';
import { getSessionView, onSessionChange, type SessionView, unknownSession } from './session.ts';

/** The session of this browser; on the server and in the first paint it is not known yet. */
export const useSession = (): SessionView =>
  useSyncExternalStore(onSessionChange, getSessionView, () => unknownSession);
