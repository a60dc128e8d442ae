import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { controlClasses } from './control-classes.ts';
import { useFieldControl } from './field.tsx';

export interface SelectOption {
  value: string;
  label: string;
}

export interface SelectProps extends ComponentProps<'select'> {
  options: readonly SelectOption[];
  /** Label of an additional first option with an empty value. */
  placeholder?: string | undefined;
}

/** A native select element, because it is easier to use on phones than a custom one. */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <span className="relative block w-full">
      <select
        className={clsx(controlClasses, 'appearance-none truncate pr-10', className)}
        {...useFieldControl()}
        {...rest}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2 text-ink-muted"
      />
    </span>
  );
}
