import { useState } from 'react';
import { hasLoggedOut } from './session.ts';
import { useSession } from './use-session.ts';

/**
 * Returns the state of a dialog that remembers the account that opened it, and its setter. The dialog stays open
 * and keeps typed text when the session ends, but closes when the person logs out, in this or another tab.
 */
export const useDialogOfAccount = <
  Opened extends { ownId: string | undefined } = { ownId: string | undefined },
>() => {
  const { user } = useSession();
  const [opened, setOpened] = useState<Opened>();
  if (opened?.ownId && !user && hasLoggedOut()) setOpened(undefined);
  return [opened, setOpened] as const;
};
