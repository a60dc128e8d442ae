import type { Campus } from '#contract/campus.ts';
import { isSignOnRequired } from '#contract/campus.ts';
import { links } from '#web/lib/links.ts';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { readBrowserText, writeBrowserText } from '#web/lib/stored-values.ts';
import { toast } from '#web/ui/toast.ts';
import { findNeededProof } from './needed-proof.ts';
import { addPasskey, fetchPasskeys } from './passkey-actions.ts';
import { supportsPasskeys } from './passkey-support.ts';

/** How long this browser does not offer a passkey again, in milliseconds: 60 days. */
const pauseMs = 60 * 24 * 60 * 60_000;
const shownForMs = 20_000;

const wasOfferedLately = (): boolean =>
  Date.now() - Date.parse(readBrowserText('quad.passkey-offered') ?? '1970-01-01') < pauseMs;

const add = async (goTo: (path: string) => void): Promise<void> => {
  const { error } = await addPasskey();
  // A log-in by the university's sign-on without credentials is no proof.
  if (findNeededProof(error))
    toast.message('Add your passkey in Settings', 'There you confirm first that it is you.', {
      label: 'Open Settings',
      onSelect: () => goTo(links.settings('security')),
      durationMs: shownForMs,
    });
  else if (error) toast.error(error.message);
  else toast.success('Next time, log in with your passkey');
};

/**
 * Offers a passkey after a log-in in another way, where this device can create one and the account has none. Each browser
 * offers it once in a while only. `goTo` opens a screen.
 */
export const offerPasskey = async (campus: Campus, goTo: (path: string) => void): Promise<void> => {
  const { user } = getSessionSnapshot();
  if (!user || !supportsPasskeys() || wasOfferedLately() || isSignOnRequired(campus, user.email ?? ''))
    return;
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return;
  const passkeys = await fetchPasskeys().catch(() => undefined);
  if (passkeys?.length !== 0) return;
  writeBrowserText('quad.passkey-offered', new Date().toISOString());
  toast.message('Log in faster next time', 'With your fingerprint, face or PIN.', {
    label: 'Add a passkey',
    onSelect: () => void add(goTo),
    durationMs: shownForMs,
  });
};
