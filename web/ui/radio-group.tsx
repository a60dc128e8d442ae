import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { useFieldGroup } from './field.tsx';

export interface RadioOption {
  value: string;
  label: string;
  hint?: string | undefined;
  icon?: ReactNode;
}

export interface RadioGroupProps
  extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'defaultValue' | 'children' | 'id'> {
  options: readonly RadioOption[];
  value?: string | undefined;
  defaultValue?: string | undefined;
  onValueChange?: ((value: string) => void) | undefined;
}

/** Radio buttons as cards, labeled by the surrounding Field (or `aria-label`). */
export function RadioGroup({
  options,
  value,
  defaultValue,
  onChange,
  onValueChange,
  name,
  className,
  'aria-label': ariaLabel,
  ...input
}: RadioGroupProps) {
  const generatedName = useId();
  const { 'aria-invalid': invalid, 'aria-required': required, ...group } = useFieldGroup();
  return (
    <div
      role="radiogroup"
      aria-label={ariaLabel}
      aria-invalid={invalid}
      aria-required={required}
      {...group}
      className={clsx('grid gap-2.5', className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-13 items-center gap-3 rounded-md border border-line-strong bg-raised px-4 py-2.5 transition-colors hover:bg-hover has-checked:border-brand-text has-checked:bg-brand-soft has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
        >
          <input
            {...input}
            type="radio"
            name={name ?? generatedName}
            value={option.value}
            checked={value === undefined ? undefined : value === option.value}
            defaultChecked={value === undefined && defaultValue === option.value ? true : undefined}
            onChange={(event) => {
              onChange?.(event);
              onValueChange?.(event.target.value);
            }}
            className="size-5 shrink-0 appearance-none rounded-full border-2 border-line-strong bg-raised checked:border-[6px] checked:border-brand-text focus-visible:outline-none"
          />
          {option.icon}
          <span className="min-w-0">
            <span dir="auto" className="block text-start font-semibold">
              {option.label}
            </span>
            {option.hint && (
              <span dir="auto" className="block text-start text-ink-muted text-xs">
                {option.hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </div>
  );
}
