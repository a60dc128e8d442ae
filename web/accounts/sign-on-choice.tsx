import { useCampus } from '#web/lib/use-campus.ts';
import { SignOnButton } from '#web/ui/sign-on-button.tsx';

interface SignOnChoiceProps {
  from: string | undefined;
  /** Whether no form follows. */
  isAlone?: boolean;
}

/** The button that continues with the university's sign-on, above a form. Empty where there is none. */
export function SignOnChoice({ from, isAlone = false }: SignOnChoiceProps) {
  const { signOn } = useCampus();
  if (!signOn) return null;
  return (
    <div className="mb-5 flex flex-col gap-5">
      <SignOnButton name={signOn.name} from={from} />
      {!isAlone && (
        <div className="flex items-center gap-3 text-ink-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </div>
      )}
    </div>
  );
}
