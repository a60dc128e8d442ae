import { type ReactNode, useState } from 'react';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { SignOnButton } from '#web/ui/sign-on-button.tsx';

interface SignOnChoiceProps {
  from: string | undefined;
  /** Whether no form follows. */
  isAlone?: boolean;
  /** Leaves the page for a proof of identity, instead of a log-in. */
  goToProof?: (from?: string) => Promise<void>;
}

/** The button that continues with the university's sign-on, above a form. Empty where there is none. */
export function SignOnChoice({ from, isAlone = false, goToProof }: SignOnChoiceProps) {
  const { signOn } = useCampus();
  if (!signOn) return null;
  return (
    <div className="mb-5 flex flex-col gap-5">
      <SignOnButton name={signOn.name} from={from} goToProof={goToProof} />
      {!isAlone && (
        <div className="flex items-center gap-3 text-ink-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </div>
      )}
    </div>
  );
}

interface SignOnFirstProps {
  from: string | undefined;
  /** Whether anybody can use the other ways. */
  hasOtherWays?: boolean;
  /** Whether the other ways are shown at once, because the person has begun with one. */
  isOpen?: boolean;
  /** The other ways. */
  children: ReactNode;
}

/** The university's sign-on above the other ways, which are shown on request where people of the campus cannot use them. */
export function SignOnFirst({ from, hasOtherWays = true, isOpen = false, children }: SignOnFirstProps) {
  const { signOn } = useCampus();
  const [isChosen, setIsChosen] = useState(isOpen);
  if (!signOn?.isRequired || isChosen) {
    return (
      <>
        <SignOnChoice from={from} />
        <div ref={(others) => void (isChosen && !isOpen && others?.querySelector('input')?.focus())}>
          {children}
        </div>
      </>
    );
  }
  return (
    <>
      <SignOnChoice from={from} isAlone />
      {hasOtherWays && (
        <Button variant="link" size="sm" onClick={() => setIsChosen(true)}>
          Other ways
        </Button>
      )}
    </>
  );
}
