import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';

export interface LeaveGuard {
  /** Somebody is leaving and has to say whether they mean it. */
  asking: boolean;
  stay: () => void;
  leave: () => void;
  /** Lets the navigation that `go` starts pass: it is the form's own. */
  letGo: (go: () => void) => void;
}

/** Asks before a page with unsaved changes is left: inside the app, and by closing or reloading. */
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
    // A dialog that closes because of `leave` says `stay` on its way.
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
