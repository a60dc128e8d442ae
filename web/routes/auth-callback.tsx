import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type ErrorCode, formatErrorMessage } from '#contract/errors.ts';
import { AccountFormCard } from '#web/accounts/account-card.tsx';
import { usePasskeyOffer } from '#web/accounts/passkey-log-in.tsx';
import { completeSignOn } from '#web/accounts/public.ts';
import { SignOnChoice } from '#web/accounts/sign-on-choice.tsx';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { toLoginPath, toProfileSetupPath, useReturnPath } from '#web/lib/return-path.ts';
import { preloadAuthClient } from '#web/lib/session.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Redirect } from '#web/shell/redirect.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';

/** How long the screen waits for a session before it offers another way, in milliseconds. */
const timeoutMs = 12_000;

/** The errors whose sentences are shown. The text of an error in the URL may be written by anybody, so it is not. */
const shownErrors: readonly ErrorCode[] = [
  'sign_on_unavailable',
  'sign_on_canceled',
  'sign_on_address_missing',
  'sign_on_taken',
  'sign_on_differs',
  'sign_on_other_person',
  'sign_on_not_proved',
  'campus_address_taken',
  'account_exists',
  'account_suspended',
  'rate_limited',
  'unavailable',
];

const AccountProofStep = lazyComponent(
  async () => (await import('#web/accounts/account-proof-step.tsx')).AccountProofStep,
  { placeholder: () => <Spinner /> },
);
const SecondFactorStep = lazyComponent(
  async () => (await import('#web/accounts/second-factor-step.tsx')).SecondFactorStep,
  { placeholder: Spinner },
);

// Names in the GoTrue API of errors that have other names in our catalog.
const catalogCodes: Record<string, ErrorCode> = {
  identity_already_exists: 'sign_on_taken',
  user_banned: 'account_suspended',
  over_request_rate_limit: 'rate_limited',
};

export const meta = createScreenMeta('Completing sign in');

type Outcome = { proofNeeded: { isOtherAddress: boolean } } | { error: string } | { done: true };

/** Returns how the log-in ended, or undefined while it goes on. */
const useOutcome = (): Outcome | undefined => {
  const [search] = useSearchParams();
  const code = search.get('code');
  const [outcome, setOutcome] = useState<Outcome | undefined>(() =>
    search.has('error') || search.has('error_code') ? { error: search.get('error_code') ?? '' } : undefined,
  );
  // A code works once, also when React mounts the screen twice.
  const exchanged = useRef<string>(undefined);
  useEffect(() => {
    if (code === null || exchanged.current === code || outcome) return;
    exchanged.current = code;
    void (async () => {
      const { error } = await completeSignOn(code);
      if (!error) return setOutcome({ done: true });
      const isOtherAddress = error.code === 'added_address_proof_needed';
      if (isOtherAddress || error.code === 'account_proof_needed')
        return setOutcome({ proofNeeded: { isOtherAddress } });
      setOutcome({ error: error.code });
    })().catch(() => setOutcome({ error: 'unavailable' }));
  }, [code, outcome]);
  useEffect(() => {
    if (outcome) return;
    const timer = setTimeout(() => setOutcome({ error: '' }), timeoutMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  return outcome;
};

export default function AuthCallback() {
  const campus = useCampus();
  const { isAuthenticated, awaitsSecondFactor, user } = useSession();
  const [search] = useSearchParams();
  const from = useReturnPath();
  const outcome = useOutcome();
  const code = search.get('code');
  useEffect(preloadAuthClient, []);
  usePasskeyOffer();

  const failure =
    outcome && 'error' in outcome
      ? (shownErrors.find((it) => it === (catalogCodes[outcome.error] ?? outcome.error)) ?? 'sign_on_failed')
      : undefined;
  // A person who connects the sign-on is logged in before the code has been exchanged, and knows that they canceled.
  const isOver = failure ? failure === 'sign_on_canceled' : outcome || code === null;
  if (isAuthenticated && isOver) {
    const isNameMissing = code !== null && !user?.user_metadata.full_name;
    return <Redirect to={isNameMissing ? toProfileSetupPath(from) : (from ?? links.home)} />;
  }
  if (awaitsSecondFactor) {
    return (
      <AccountFormCard title="Two-step verification">
        <SecondFactorStep />
      </AccountFormCard>
    );
  }
  const footer = (
    <p>
      Taking too long? <StandaloneLink to={toLoginPath(from)}>Log in again</StandaloneLink>
    </p>
  );
  if (outcome && 'proofNeeded' in outcome && code !== null) {
    return (
      <AccountFormCard
        title="Is this your account?"
        footer={<StandaloneLink to={toLoginPath(from)}>Log in another way</StandaloneLink>}
      >
        <AccountProofStep ticket={code} {...outcome.proofNeeded} />
      </AccountFormCard>
    );
  }
  if (failure) {
    return (
      <AccountFormCard
        title={isAuthenticated ? 'That did not work' : 'You are not signed in'}
        footer={
          <StandaloneLink to={isAuthenticated ? (from ?? links.home) : toLoginPath(from)}>
            {isAuthenticated ? 'Back' : 'Log in another way'}
          </StandaloneLink>
        }
      >
        <Alert tone="error" className="mb-5">
          {formatErrorMessage(failure, campus)}
        </Alert>
        {!isAuthenticated && <SignOnChoice from={from} isAlone />}
      </AccountFormCard>
    );
  }
  return (
    <AccountFormCard title="Completing sign in..." footer={footer}>
      <div className="grid place-items-center py-6">
        <Spinner size="lg" label="Completing sign in..." />
      </div>
    </AccountFormCard>
  );
}
