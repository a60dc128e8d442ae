import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A checkbox with its own label. Use it without a Field. */
export function Checkbox({ label, hint, error, className, ...rest }: CheckboxProps) {
  const id = useId();
  const describedBy = clsx(error && `${id}-error`, hint && `${id}-hint`) || undefined;
  return (
    <div className={className}>
      <label className="flex min-h-11 items-center gap-3 py-1.5">
        <span className="relative grid size-6 shrink-0 place-items-center">
          <input
            type="checkbox"
            aria-describedby={describedBy}
            aria-invalid={error ? true : undefined}
            className="peer size-6 appearance-none rounded-sm border-2 border-line-strong bg-raised transition-colors checked:border-brand checked:bg-brand aria-invalid:border-danger disabled:opacity-50"
            {...rest}
          />
          <Check
            aria-hidden="true"
            strokeWidth={3.5}
            className="pointer-events-none absolute size-4 text-on-brand opacity-0 peer-checked:opacity-100"
          />
        </span>
        <span className="min-w-0 text-sm">{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className="pl-9 text-ink-muted text-xs">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="pl-9 font-medium text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
}
