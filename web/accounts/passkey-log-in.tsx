import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { supportsPasskeys } from './passkey-support.ts';

const loadActions = () => importLazyScript(() => import('./passkey-actions.ts'));

/** How often the browser's suggestions get a new challenge, which the server accepts for five minutes, in milliseconds. */
const challengeRenewalMs = 4 * 60_000;

/** The server's errors about a passkey that the person has chosen. */
const refusedPasskeyCodes = [
  'webauthn_challenge_expired',
  'webauthn_verification_failed',
  'webauthn_credential_not_found',
  'sign_on_required',
  'user_banned',
];

const subscribeToNothing = () => () => {};

/** Offers passkeys among the suggestions of the email field, again and again until the returned function is called. */
const offerInSuggestions = (): (() => void) => {
  let isOver = false;
  let renewal: ReturnType<typeof setTimeout> | undefined;
  const loading = loadActions().catch(() => undefined);
  const offer = async (): Promise<void> => {
    const actions = await loading;
    if (!actions || isOver || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    renewal = setTimeout(() => void offer(), challengeRenewalMs);
    const { error } = await actions.logInWithPasskey('conditional');
    if (!error || isOver || actions.isReplaced(error)) return;
    clearTimeout(renewal);
    // Otherwise the person has not chosen a suggestion yet, and does not know of the request.
    if (!refusedPasskeyCodes.includes(error.code)) return;
    toast.error(error.message);
    void offer();
  };
  void offer();
  return () => {
    isOver = true;
    clearTimeout(renewal);
    void loading.then((actions) => actions?.cancelPasskeyRequest());
  };
};

/** Offers a passkey once the person, who was not logged in when the screen appeared, has logged in. */
export const usePasskeyOffer = (): void => {
  const { loading, isAuthenticated } = useSession();
  const campus = useCampus();
  const navigate = useNavigate();
  const wasLoggedOut = useRef(false);
  useEffect(() => {
    if (loading) return;
    if (isAuthenticated && wasLoggedOut.current)
      void importLazyScript(() => import('./passkey-offer.ts')).then(
        ({ offerPasskey }) => offerPasskey(campus, (path) => void navigate(path)),
        () => {
          // The offer can wait for another log-in.
        },
      );
    wasLoggedOut.current = !isAuthenticated;
  }, [loading, isAuthenticated, campus, navigate]);
};

/** The button that logs in with a passkey. Where the browser can, the email field suggests passkeys, too. */
export function PasskeyLogIn() {
  const isSupported = useSyncExternalStore(subscribeToNothing, supportsPasskeys, () => true);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => (isSupported && !isBusy ? offerInSuggestions() : undefined), [isSupported, isBusy]);
  if (!isSupported) return null;

  const logIn = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const { logInWithPasskey } = await loadActions();
      const { error } = await logInWithPasskey();
      if (error) toast.error(error.message);
    } catch (error) {
      toast.error((error as Error).message);
    }
    setIsBusy(false);
  };
  return (
    <OnlineOnlyButton
      variant="secondary"
      wide
      loading={isBusy}
      className="mt-5"
      icon={<KeyRound aria-hidden="true" className="size-5" />}
      onClick={() => void logIn()}
    >
      Log in with a passkey
    </OnlineOnlyButton>
  );
}
