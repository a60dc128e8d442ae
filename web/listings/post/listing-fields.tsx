import { useEffect, useRef } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { categoryLabel, conditionLabels, conditions, postableCategories } from '#contract/categories.ts';
import { descriptionLength, locationLength, titleLength } from '#contract/listings.ts';
import { countCharacters } from '#contract/text.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Select } from '#web/ui/select.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import type { ListingValues, Submission } from './submission.ts';

export interface ListingFieldsProps {
  form: Pick<
    UseFormReturn<ListingValues, unknown, Submission>,
    'register' | 'setValue' | 'clearErrors' | 'control' | 'formState'
  >;
  mascot: string;
  /** Today on campus, YYYY-MM-DD; the earliest game date. */
  today: string;
}

const conditionOptions = conditions.map((value) => ({ value, label: conditionLabels[value] }));

/** All fields of the form except photos. A field's error disappears when the field is edited. */
export function ListingFields({ form, mascot, today }: ListingFieldsProps) {
  const { register, setValue, clearErrors, control, formState } = form;
  const { errors } = formState;
  const values = useWatch({ control });
  const category = values.category ?? '';
  const free = category === 'free';
  const pricedAt = useRef('');

  // Two other fields depend on the category.
  useEffect(() => {
    if (free) {
      setValue('price', '0.00', { shouldDirty: true });
      clearErrors('price');
    }
  }, [free, setValue, clearErrors]);

  // One of the two is enough, so editing one clears both.
  const contact = (name: 'contactEmail' | 'contactPhone') =>
    register(name, { onChange: () => clearErrors(['contactEmail', 'contactPhone']) });

  const options = postableCategories.map((value) => ({ value, label: categoryLabel(value, mascot) }));
  const known = options.some((option) => option.value === category) || category === '';

  return (
    <>
      <Field
        label="Title"
        error={errors.title?.message}
        aside={`${countCharacters((values.title ?? '').trim())}/${titleLength.max}`}
        hint="What it is, in 10 to 80 characters."
        required
      >
        <Input autoComplete="off" {...register('title')} />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Category" error={errors.category?.message} required>
          <Select
            placeholder="Select a category"
            options={
              known
                ? options
                : [...options, { value: category, label: categoryLabel('trojan-merch', mascot) }]
            }
            {...register('category', {
              onChange: (event: { target: { value: string } }) => {
                clearErrors(['category', 'gameDate', 'price']);
                if (event.target.value === 'free') pricedAt.current = values.price ?? '';
                else if (free) setValue('price', pricedAt.current, { shouldDirty: true });
              },
            })}
          />
        </Field>
        <Field label="Condition" error={errors.condition?.message} required>
          <Select placeholder="Select a condition" options={conditionOptions} {...register('condition')} />
        </Field>
        <Field
          label="Price"
          error={errors.price?.message}
          hint={free ? 'Free items cost $0.00.' : undefined}
          required
        >
          <Input
            // A number input reports an empty value if it cannot parse the typed text.
            inputMode="decimal"
            autoComplete="off"
            leading="$"
            className="figures"
            readOnly={free}
            {...register('price')}
          />
        </Field>
        {category === 'game-day' && (
          <Field label="Game date" error={errors.gameDate?.message}>
            <Input type="date" min={today} {...register('gameDate')} />
          </Field>
        )}
      </div>
      <Field
        label="Description"
        error={errors.description?.message}
        aside={`${countCharacters((values.description ?? '').trim())}/${descriptionLength.max}`}
        hint="Size, age, what comes with it, what is wrong with it: 40 characters or more."
        required
      >
        <Textarea className="min-h-36" {...register('description')} />
      </Field>
      <Field
        label="Location"
        error={errors.location?.message}
        aside={`${countCharacters((values.location ?? '').trim())}/${locationLength.max}`}
        hint="Where on or near campus it can be picked up."
        required
      >
        <Input autoComplete="off" {...register('location')} />
      </Field>
      <fieldset className="grid gap-5 sm:grid-cols-2">
        <legend className="mb-3 font-semibold text-sm">
          How buyers reach you
          <span className="block font-normal text-ink-muted text-xs">
            At least one. Shown on the listing; buyers can always message you here, too.
          </span>
        </legend>
        <Field label="Contact email" error={errors.contactEmail?.message}>
          <Input type="email" inputMode="email" autoComplete="email" {...contact('contactEmail')} />
        </Field>
        <Field label="Contact phone" error={errors.contactPhone?.message}>
          <Input type="tel" inputMode="tel" autoComplete="tel-national" {...contact('contactPhone')} />
        </Field>
      </fieldset>
    </>
  );
}
