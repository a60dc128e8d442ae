import { useSyncExternalStore } from 'react';
import { onSessionChange, type SessionView, sessionNow, unknownSession } from './session.ts';

/** The session of this browser; on the server and in the first paint it is not known yet. */
export const useSession = (): SessionView =>
  useSyncExternalStore(onSessionChange, sessionNow, () => unknownSession);
