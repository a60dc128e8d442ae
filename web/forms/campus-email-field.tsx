import type { Campus } from '#contract/campus.ts';
import { campusEmailHint } from '#contract/form-choices.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';

/** The university email field of a form; an error replaces its hint. */
export function CampusEmailField({ campus, error }: { campus: Campus; error: string | undefined }) {
  return (
    <Field label="University email" hint={error ? undefined : campusEmailHint(campus)} error={error} required>
      <Input name="email" type="email" autoComplete="email" placeholder={`you@${campus.domain}`} />
    </Field>
  );
}
