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
  /** `chips` suit a few short labels without hints; they stand beside each other. */
  look?: 'cards' | 'chips' | undefined;
}

const lookClasses = {
  cards: { group: 'grid gap-2.5', option: 'min-h-13 gap-3 rounded-md px-4 py-2.5' },
  chips: { group: 'flex flex-wrap gap-1.5', option: 'min-h-11 gap-1.5 rounded-full px-2.5 py-1 text-sm' },
};

/** Radio buttons as cards or chips, labeled by the surrounding Field (or `aria-label`). */
export function RadioGroup({
  options,
  value,
  defaultValue,
  onChange,
  onValueChange,
  look = 'cards',
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
      className={clsx(lookClasses[look].group, className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            'flex items-center border border-line-strong bg-raised transition-colors hover:bg-hover has-checked:border-brand-text has-checked:bg-brand-soft has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2',
            lookClasses[look].option,
          )}
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
