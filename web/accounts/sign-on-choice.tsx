import { GraduationCap } from 'lucide-react';
import { useState } from 'react';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/text-link.tsx';
import { toast } from '#web/ui/toast.ts';
import { continueWithSignOn } from './sign-on-actions.ts';

interface SignOnChoiceProps {
  from: string | undefined;
  /** Whether no form follows. */
  isAlone?: boolean;
}

/** The button that continues with the university's sign-on, above a form. Empty where there is none. */
export function SignOnChoice({ from, isAlone = false }: SignOnChoiceProps) {
  const { signOn } = useCampus();
  const [isLeaving, setIsLeaving] = useState(false);
  if (!signOn) return null;

  const leave = async (): Promise<void> => {
    setIsLeaving(true);
    const { error } = await continueWithSignOn(from);
    setIsLeaving(false);
    if (error) toast.error(error.message);
  };

  return (
    <div className="mb-5 flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <Button
          wide
          loading={isLeaving}
          icon={<GraduationCap aria-hidden="true" className="size-5" />}
          onClick={() => void leave()}
        >
          {`Continue with ${signOn.name}`}
        </Button>
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
      </div>
      {!isAlone && (
        <div className="flex items-center gap-3 text-ink-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </div>
      )}
    </div>
  );
}
