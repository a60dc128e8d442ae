import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { newPasswordSchema } from '#contract/accounts.ts';

const degrees = {
  1: { word: 'Weak', colour: 'bg-danger', text: 'text-danger' },
  2: { word: 'Fair', colour: 'bg-gold-text', text: 'text-gold-text' },
  3: { word: 'Good', colour: 'bg-lawn', text: 'text-lawn-text' },
  4: { word: 'Strong', colour: 'bg-lawn', text: 'text-lawn-text' },
} as const;

/** A pause in typing, in milliseconds: neither eyes nor ears are kept busy by every letter. */
const pauseMs = 250;

export interface PasswordStrengthProps {
  password: string;
  /** What others know of its owner. */
  known: string[];
}

/** Says in a word how hard a new password is to guess. What judges it is fetched with the first letter typed. */
export function PasswordStrength({ password, known }: PasswordStrengthProps) {
  const [degree, setDegree] = useState<keyof typeof degrees>();
  const about = known.join('\n');

  useEffect(() => {
    if (!password) {
      setDegree(undefined);
      return;
    }
    let outdated = false;
    const timer = setTimeout(async () => {
      try {
        const { estimateStrength } = await import('./password-estimate.ts');
        if (outdated) return;
        // One that is refused anyway is called weak, however hard to guess.
        const acceptable = newPasswordSchema.safeParse(password).success;
        setDegree(acceptable ? estimateStrength(password, about.split('\n')) : 1);
      } catch {
        // Out of reach: nothing is said rather than something untrue; the next letter tries again.
        if (!outdated) setDegree(undefined);
      }
    }, pauseMs);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [password, about]);

  const shown = degree && degrees[degree];
  return (
    <div className="flex min-h-5 items-center gap-3">
      {shown && (
        <div aria-hidden="true" className="grid flex-1 grid-cols-4 gap-1">
          {[1, 2, 3, 4].map((step) => (
            <span
              key={step}
              className={clsx(
                'h-1.5 rounded-full transition-colors',
                step <= degree ? shown.colour : 'bg-line',
              )}
            />
          ))}
        </div>
      )}
      <p role="status" className="text-xs">
        {shown && (
          <>
            Password strength: <strong className={shown.text}>{shown.word}</strong>
          </>
        )}
      </p>
    </div>
  );
}
