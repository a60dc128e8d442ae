import { type ComponentProps, type ReactNode, useId } from 'react';

export interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'checked' | 'children'> {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
}

/** An on/off switch that takes effect immediately. */
export function Switch({ label, hint, checked, ...rest }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-start justify-between gap-6">
      <div className="min-w-0">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 text-ink-muted text-sm">
            {hint}
          </p>
        )}
      </div>
      <span className="relative grid size-11 w-14 shrink-0 place-items-center">
        <input
          id={id}
          type="checkbox"
          role="switch"
          checked={checked}
          aria-checked={checked}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-full disabled:cursor-progress"
          {...rest}
        />
        <span
          aria-hidden="true"
          className="pointer-events-none h-7 w-12 rounded-full border-2 border-line-strong bg-sunken transition-colors peer-checked:border-brand peer-checked:bg-brand"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute left-2.5 size-4 rounded-full bg-line-strong transition peer-checked:translate-x-5 peer-checked:bg-on-brand"
        />
      </span>
    </div>
  );
}
