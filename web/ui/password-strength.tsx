import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { newPasswordSchema } from '#contract/accounts.ts';

const strengthLevels = {
  1: { word: 'Weak', color: 'bg-danger', text: 'text-danger' },
  2: { word: 'Fair', color: 'bg-gold-text', text: 'text-gold-text' },
  3: { word: 'Good', color: 'bg-lawn', text: 'text-lawn-text' },
  4: { word: 'Strong', color: 'bg-lawn', text: 'text-lawn-text' },
} as const;

/**
 * Delay in milliseconds after the last keystroke before the strength is updated, because screen readers
 * announce each change.
 */
const debounceMs = 250;

export interface PasswordStrengthProps {
  password: string;
  /** Words that others know about the owner, such as name and address. */
  known: string[];
}

/** Shows how hard a new password is to guess. The estimator is loaded with the first typed letter. */
export function PasswordStrength({ password, known }: PasswordStrengthProps) {
  const [level, setLevel] = useState<keyof typeof strengthLevels>();
  const knownWordsText = known.join('\n');

  useEffect(() => {
    if (!password) {
      setLevel(undefined);
      return;
    }
    let outdated = false;
    const timer = setTimeout(async () => {
      try {
        const { estimatePasswordStrength } = await import('./password-estimate.ts');
        if (outdated) return;
        // A password that will be refused counts as weak.
        const acceptable = newPasswordSchema.safeParse(password).success;
        setLevel(acceptable ? estimatePasswordStrength(password, knownWordsText.split('\n')) : 1);
      } catch {
        // The estimator could not be loaded, so show nothing. The next typed letter tries again.
        if (!outdated) setLevel(undefined);
      }
    }, debounceMs);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [password, knownWordsText]);

  const shownLevel = level && strengthLevels[level];
  return (
    <div className="flex min-h-5 items-center gap-3">
      {shownLevel && (
        <div aria-hidden="true" className="grid flex-1 grid-cols-4 gap-1">
          {[1, 2, 3, 4].map((step) => (
            <span
              key={step}
              className={clsx(
                'h-1.5 rounded-full transition-colors',
                step <= level ? shownLevel.color : 'bg-line',
              )}
            />
          ))}
        </div>
      )}
      <p role="status" className="text-xs">
        {shownLevel && (
          <>
            Password strength: <strong className={shownLevel.text}>{shownLevel.word}</strong>
          </>
        )}
      </p>
    </div>
  );
}
