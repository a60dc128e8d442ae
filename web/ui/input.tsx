import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { controlClasses } from './control-classes.ts';
import { useFieldControl } from './field.tsx';

export interface InputProps extends ComponentProps<'input'> {
  /** A symbol inside the input before the text, such as a dollar sign or an icon. */
  leading?: ReactNode;
  /** The same after the text. */
  trailing?: ReactNode;
}

/** An input whose direction follows its text. */
export function Input({ leading, trailing, className, ...rest }: InputProps) {
  const field = useFieldControl();
  const symbol = leading ?? trailing;
  if (!symbol) return <input dir="auto" className={clsx(controlClasses, className)} {...field} {...rest} />;
  return (
    <span className="relative block w-full">
      <span
        aria-hidden="true"
        className={clsx(
          'pointer-events-none absolute inset-y-0 grid w-10 place-items-center text-ink-muted',
          leading ? 'left-0' : 'right-0',
        )}
      >
        {symbol}
      </span>
      <input
        dir="auto"
        className={clsx(controlClasses, leading ? 'pl-10' : 'pr-10', className)}
        {...field}
        {...rest}
      />
    </span>
  );
}
