import type { Campus } from '#contract/campus.ts';
import { campusEmailHint } from '#contract/form-choices.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

/** The university address that a form asks for; its hint gives way to the error. */
export function CampusEmailField({ campus, error }: { campus: Campus; error: string | undefined }) {
  return (
    <Field label="University email" hint={error ? undefined : campusEmailHint(campus)} error={error} required>
      <Input name="email" type="email" autoComplete="email" placeholder={`you@${campus.domain}`} />
    </Field>
  );
}
