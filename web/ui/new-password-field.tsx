import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { PasswordInput } from './password-input.tsx';
import { PasswordStrength, type PasswordStrengthProps } from './password-strength.tsx';

export interface NewPasswordFieldProps
  extends Omit<ComponentProps<'input'>, 'type' | 'autoComplete'>,
    PasswordStrengthProps {
  label: string;
  /** Follows the rule that the password must keep. */
  hint?: string | undefined;
  error?: string | undefined;
}

/** Where a password is chosen: the rule it must keep, and how hard to guess what stands there is. */
export function NewPasswordField({
  label,
  hint = '',
  error,
  required = true,
  password,
  known,
  ...input
}: NewPasswordFieldProps) {
  return (
    <div className="flex flex-col gap-1">
      <Field
        label={label}
        hint={`At least 8 characters, with letters and numbers. ${hint}`.trim()}
        error={error}
        required={required}
      >
        <PasswordInput autoComplete="new-password" {...input} />
      </Field>
      <PasswordStrength password={password} known={known} />
    </div>
  );
}
