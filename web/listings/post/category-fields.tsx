import { listCategoryFields } from '#contract/category-fields.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Select } from '#web/ui/select.tsx';
import type { ListingFormMethods } from './submission.ts';

export interface CategoryFieldsProps {
  form: ListingFormMethods;
  category: string;
}

/** The fields that only listings of this category have. */
export function CategoryFields({ form: { register, formState }, category }: CategoryFieldsProps) {
  return listCategoryFields(category).map(([name, field]) => (
    <Field key={name} label={field.label} hint={field.hint} error={formState.errors[name]?.message}>
      {field.input === 'choice' ? (
        <Select
          placeholder="None"
          options={Object.entries(field.options).map(([value, label]) => ({ value, label }))}
          {...register(name)}
        />
      ) : (
        <Input
          autoComplete="off"
          inputMode={field.input === 'number' ? 'numeric' : undefined}
          {...register(name)}
        />
      )}
    </Field>
  ));
}
