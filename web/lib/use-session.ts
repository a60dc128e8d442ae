import { useSyncExternalStore } from 'react';
import { getSessionView, onSessionChange, type SessionView, unknownSession } from './session.ts';

/** Returns this browser's session; `loading` is true on the server and during the first paint. */
export const useSession = (): SessionView =>
  useSyncExternalStore(onSessionChange, getSessionView, () => unknownSession);
