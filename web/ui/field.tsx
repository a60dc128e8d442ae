import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, use, useId } from 'react';

interface FieldControlAttributes {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

const FieldContext = createContext<(FieldControlAttributes & { labelId: string }) | null>(null);

/**
 * Returns the props that connect a control to its Field's label, hint and error. Props that the control gets
 * explicitly take precedence.
 */
export function useFieldControl(): Partial<FieldControlAttributes> {
  const field = use(FieldContext);
  if (!field) return {};
  const { labelId: _, ...control } = field;
  return control;
}

/**
 * Like `useFieldControl`, but for a group of controls: also returns `aria-labelledby`, because a group needs
 * it to get the Field's label as its name.
 */
export function useFieldGroup(): Partial<FieldControlAttributes> & { 'aria-labelledby'?: string } {
  const field = use(FieldContext);
  if (!field) return {};
  const { labelId, ...control } = field;
  return { ...control, 'aria-labelledby': labelId };
}

export interface FieldProps {
  label: ReactNode;
  /** Shows the label to screen readers only. */
  hideLabel?: boolean | undefined;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean | undefined;
  /** Shown at the end of the label's line, for example a counter. */
  aside?: ReactNode;
  className?: string | undefined;
  /** The control of the field: exactly one of the control components in this folder. */
  children: ReactNode;
}

export function Field({
  label,
  hideLabel = false,
  hint,
  error,
  required = false,
  aside,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = clsx(error && errorId, hint && hintId) || undefined;
  return (
    <div className={clsx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className={clsx('flex items-baseline justify-between gap-3', hideLabel && !aside && 'sr-only')}>
        <label
          id={`${id}-label`}
          htmlFor={id}
          className={clsx('wrap-anywhere min-w-0 font-semibold text-sm', hideLabel && 'sr-only')}
        >
          <span>{label}</span>
          {required && (
            <span aria-hidden="true" className="text-danger">
              {' *'}
            </span>
          )}
        </label>
        {aside && <span className="figures text-ink-muted text-xs">{aside}</span>}
      </div>
      <FieldContext
        value={{
          id,
          labelId: `${id}-label`,
          'aria-describedby': describedBy,
          'aria-invalid': error ? true : undefined,
          'aria-required': required || undefined,
        }}
      >
        {children}
      </FieldContext>
      {hint && (
        <p id={hintId} className="text-ink-muted text-xs">
          {hint}
        </p>
      )}
      {error && (
        <p id={errorId} data-error className="flex items-start gap-1.5 font-medium text-danger text-sm">
          <CircleAlert aria-hidden="true" className="mt-[0.15em] size-4 shrink-0" />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}
