import type { ComponentProps } from 'react';
import type { Campus } from '#contract/campus.ts';
import { formatCampusEmailHint } from '#contract/form-choices.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

export interface CampusEmailFieldProps extends ComponentProps<'input'> {
  campus: Campus;
  error: string | undefined;
}

/** A form's field for a university email address. An error message replaces the field's hint. */
export function CampusEmailField({ campus, error, ...input }: CampusEmailFieldProps) {
  return (
    <Field
      label="University email"
      hint={error ? undefined : formatCampusEmailHint(campus)}
      error={error}
      required
    >
      <Input type="email" autoComplete="email" placeholder={`you@${campus.domain}`} {...input} />
    </Field>
  );
}
