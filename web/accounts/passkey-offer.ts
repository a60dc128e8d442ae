import type { Campus } from '#contract/campus.ts';
import { isSignOnRequired } from '#contract/campus.ts';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { readBrowserText, writeBrowserText } from '#web/lib/stored-values.ts';
import { toast } from '#web/ui/toast.ts';
import { addPasskey, fetchPasskeys } from './passkey-actions.ts';
import { supportsPasskeys } from './passkey-support.ts';

/** How long this browser does not offer a passkey again, in milliseconds: 60 days. */
const pauseMs = 60 * 24 * 60 * 60_000;
const shownForMs = 20_000;

const wasOfferedLately = (): boolean =>
  Date.now() - Date.parse(readBrowserText('quad.passkey-offered') ?? '1970-01-01') < pauseMs;

const add = async (): Promise<void> => {
  const { error } = await addPasskey();
  // A log-in by the university's sign-on without credentials is no proof.
  if (error?.code === 'reauthentication_needed')
    toast.message('Add your passkey in Settings', 'There you confirm first that it is you.');
  else if (error) toast.error(error.message);
  else toast.success('Next time, log in with your passkey');
};

/**
 * Offers a passkey after a log-in in another way, where this device can create one and the account has none. Each browser
 * offers it once in a while only.
 */
export const offerPasskey = async (campus: Campus): Promise<void> => {
  const { user } = getSessionSnapshot();
  if (!user || !supportsPasskeys() || wasOfferedLately() || isSignOnRequired(campus, user.email ?? ''))
    return;
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return;
  const passkeys = await fetchPasskeys().catch(() => undefined);
  if (passkeys?.length !== 0) return;
  writeBrowserText('quad.passkey-offered', new Date().toISOString());
  toast.message('Log in faster next time', 'With your fingerprint, face or PIN.', {
    label: 'Add a passkey',
    onSelect: () => void add(),
    durationMs: shownForMs,
  });
};
