import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';

export interface LeaveGuard {
  /** Whether a navigation is waiting for confirmation. */
  asking: boolean;
  stay: () => void;
  leave: () => void;
  /** Lets the form's own navigation, started by `go`, pass. */
  letGo: (go: () => void) => void;
}

/** Asks for confirmation before leaving a page with unsaved changes, inside the app or by closing or reloading. */
export const useLeaveGuard = (unsaved: boolean): LeaveGuard => {
  const free = useRef(false);
  const blocker = useBlocker(() => unsaved && !free.current);

  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);

  const leaving = useRef(false);
  return {
    asking: blocker.state === 'blocked',
    // A dialog that closes because of `leave` also calls `stay`.
    stay: () => {
      if (!leaving.current) blocker.reset?.();
    },
    leave: () => {
      leaving.current = true;
      blocker.proceed?.();
    },
    letGo: (go) => {
      free.current = true;
      go();
      free.current = false;
    },
  };
};
