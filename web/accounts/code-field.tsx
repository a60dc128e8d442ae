import { Controller, type UseFormReturn } from 'react-hook-form';
import { CodeInput } from '#web/ui/code-input.tsx';
import { Field } from '#web/ui/field.tsx';

export interface CodeFieldProps {
  label: string;
  form: Pick<UseFormReturn<{ code: string }>, 'control' | 'clearErrors' | 'formState'>;
  autoFocus: boolean;
  /** Called when the sixth digit is entered, unless a submission is in progress. */
  onComplete: () => void;
}

export function CodeField({ label, form, autoFocus, onComplete }: CodeFieldProps) {
  const { control, clearErrors, formState } = form;
  return (
    <Field label={label} error={formState.errors.code?.message} required>
      <Controller
        name="code"
        control={control}
        render={({ field: { ref, name, value, onChange } }) => (
          <CodeInput
            ref={ref}
            name={name}
            value={value}
            autoFocus={autoFocus}
            onChange={(code) => {
              onChange(code);
              clearErrors('code');
            }}
            onComplete={() => !formState.isSubmitting && onComplete()}
          />
        )}
      />
    </Field>
  );
}
