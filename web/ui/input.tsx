import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { controlClasses } from './control-classes.ts';
import { useFieldControl } from './field.tsx';

export interface InputProps extends ComponentProps<'input'> {
  /** A symbol inside the input before the text, such as a dollar sign or an icon. */
  leading?: ReactNode;
}

/** An input whose direction follows its text. */
export function Input({ leading, className, ...rest }: InputProps) {
  const field = useFieldControl();
  if (!leading) return <input dir="auto" className={clsx(controlClasses, className)} {...field} {...rest} />;
  return (
    <span className="relative block w-full">
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-0 grid w-10 place-items-center text-ink-muted"
      >
        {leading}
      </span>
      <input dir="auto" className={clsx(controlClasses, 'pl-10', className)} {...field} {...rest} />
    </span>
  );
}
