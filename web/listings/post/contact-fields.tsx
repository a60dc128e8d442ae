import { type UseFormReturn, useWatch } from 'react-hook-form';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import type { CreateListingBody, ListingValues } from './submission.ts';

export interface ContactFieldsProps {
  form: Pick<
    UseFormReturn<ListingValues, unknown, CreateListingBody>,
    'register' | 'setValue' | 'setFocus' | 'clearErrors' | 'control' | 'formState'
  >;
}

const publicContactHint = 'Everyone can see this on your listing';

/** The email and phone fields, for contact besides messages. At least one of them is required. */
export function ContactFields({ form }: ContactFieldsProps) {
  const { register, setValue, setFocus, clearErrors, control, formState } = form;
  const { errors } = formState;
  const email = useWatch({ control, name: 'contactEmail' });
  // One contact method is enough, so editing either field clears the errors of both.
  const clearBoth = () => clearErrors(['contactEmail', 'contactPhone']);
  const removeEmail = () => {
    setValue('contactEmail', '');
    clearBoth();
    // The pressed button disappears, so the email field takes the focus.
    setFocus('contactEmail');
  };
  return (
    <fieldset className="grid gap-5 sm:grid-cols-2">
      <legend className="mb-3 font-semibold text-sm">
        How buyers reach you
        <span className="block font-normal text-ink-muted text-xs">
          At least one. Buyers can always message you here, too.
        </span>
      </legend>
      <Field
        label="Contact email"
        error={errors.contactEmail?.message}
        hint={publicContactHint}
        aside={
          email && (
            <Button variant="link" size="sm" className="-my-3" onClick={removeEmail}>
              Remove<span className="sr-only"> contact email</span>
            </Button>
          )
        }
      >
        <Input
          type="email"
          inputMode="email"
          autoComplete="email"
          {...register('contactEmail', { onChange: clearBoth })}
        />
      </Field>
      <Field label="Contact phone" error={errors.contactPhone?.message} hint={publicContactHint}>
        <Input
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          {...register('contactPhone', { onChange: clearBoth })}
        />
      </Field>
    </fieldset>
  );
}
