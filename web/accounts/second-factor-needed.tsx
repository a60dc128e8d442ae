import { useState } from 'react';
import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { PageEmptyState } from '#web/ui/page-empty-state.tsx';
import { PasskeyProofButton } from './passkey-proof-button.tsx';
import { supportsPasskeyProof } from './passkey-support.ts';

/** What the console shows to somebody without a second factor: it asks for a passkey, or for two-step verification. */
export function SecondFactorNeeded({ onProved }: { onProved: () => void }) {
  const { user } = useSession();
  const [canUsePasskey] = useState(() => supportsPasskeyProof() && user?.app_metadata.has_passkeys === true);
  return (
    <PageEmptyState
      title="Two-step verification needed"
      text={
        canUsePasskey
          ? 'You have a role in the console, but this session was not confirmed with a second factor. Your passkey is one.'
          : 'You have a role in the console, but this session was not confirmed with a second factor. Turn on two-step verification in Settings. If it is already on, log out and log in again with a code.'
      }
      action={
        canUsePasskey ? (
          <PasskeyProofButton onProved={onProved} />
        ) : (
          <Button asChild>
            <Link to={links.settings('security')}>Open Settings</Link>
          </Button>
        )
      }
    />
  );
}
