import { useSyncExternalStore } from 'react';
import { getSessionSnapshot, onSessionChange, type SessionSnapshot, unknownSession } from './session.ts';

/** Returns this browser's session; `loading` is true on the server and during the first paint. */
export const useSession = (): SessionSnapshot =>
  useSyncExternalStore(onSessionChange, getSessionSnapshot, () => unknownSession);
