import { GraduationCap } from 'lucide-react';
import { useState } from 'react';
import { generalErrorMessages } from '#contract/general-error-messages.ts';
import { links } from '#web/lib/links.ts';
import { goToSignOn } from '#web/lib/sign-on.ts';
import { OnlineOnlyButton } from './online-only-button.tsx';
import { TextLink } from './text-link.tsx';
import { toast } from './toast.ts';

interface SignOnButtonProps {
  /** What the university calls its sign-on. */
  name: string;
  /** The path to return to. */
  from: string | undefined;
  /** Leaves the page for a proof of identity, instead of a log-in. */
  goToProof?: ((from?: string) => Promise<void>) | undefined;
}

/** Continues with the university's sign-on, which creates an account for a new person. */
export function SignOnButton({ name, from, goToProof }: SignOnButtonProps) {
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = async (): Promise<void> => {
    setIsLeaving(true);
    try {
      await (goToProof ?? goToSignOn)(from);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : generalErrorMessages.unavailable);
    }
    setIsLeaving(false);
  };
  return (
    <div className="flex flex-col gap-2">
      <OnlineOnlyButton
        wide
        loading={isLeaving}
        icon={<GraduationCap aria-hidden="true" className="size-5" />}
        onClick={() => void leave()}
      >
        {`Continue with ${name}`}
      </OnlineOnlyButton>
      {!goToProof && (
        <p className="text-ink-muted text-sm">
          By continuing, you agree to the{' '}
          <TextLink to={links.terms} target="_blank">
            Terms of Service
          </TextLink>{' '}
          and the{' '}
          <TextLink to={links.privacy} target="_blank">
            Privacy Policy
          </TextLink>
          .
        </p>
      )}
    </div>
  );
}
