import { clsx } from 'clsx';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { controlClasses } from './control-classes.ts';
import { useFieldControl } from './field.tsx';

export interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  autoComplete: 'current-password' | 'new-password';
}

export function PasswordInput({ className, ...rest }: PasswordInputProps) {
  const [isVisible, setIsVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  return (
    <span className="relative block w-full">
      <input
        type={isVisible ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className={clsx(controlClasses, 'pr-12', className)}
        {...useFieldControl()}
        {...rest}
      />
      <button
        type="button"
        aria-label={isVisible ? 'Hide password' : 'Show password'}
        onClick={() => setIsVisible(!isVisible)}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-ink-muted hover:text-ink"
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
    </span>
  );
}
