import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { PasswordInput } from './password-input.tsx';
import { PasswordStrength, type PasswordStrengthProps } from './password-strength.tsx';

export interface NewPasswordFieldProps
  extends Omit<ComponentProps<'input'>, 'type' | 'autoComplete'>,
    PasswordStrengthProps {
  label: string;
  /** Text shown after the password rule. */
  hint?: string | undefined;
  error?: string | undefined;
}

/** The field for choosing a new password. Shows the password rule and the strength of the entered password. */
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
