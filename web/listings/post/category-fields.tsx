import { type CategoryFieldName, listCategoryFields, listChoices } from '#contract/category-fields.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { PriceInput } from '#web/ui/price-input.tsx';
import { Select } from '#web/ui/select.tsx';
import { CourseInput } from './course-input.tsx';
import { GameNameInput } from './game-name-input.tsx';
import { IsbnInput } from './isbn-input.tsx';
import type { ListingFormMethods } from './submission.ts';
import { WeekdaysInput } from './weekdays-input.tsx';

export interface CategoryFieldsProps {
  form: ListingFormMethods;
  category: string;
  /** A field that must be filled in. */
  required?: CategoryFieldName | undefined;
  /** A field that is left out. */
  without?: CategoryFieldName | undefined;
}

/** The fields that only listings of this category have. */
export function CategoryFields({ form, category, required, without }: CategoryFieldsProps) {
  const { register, formState } = form;
  const campus = useCampus();
  const fields = listCategoryFields(category).filter(([name]) => name !== without);
  return fields.map(([name, field]) => (
    <Field
      key={name}
      label={field.label}
      hint={field.hint}
      error={formState.errors[name]?.message}
      required={name === required}
    >
      {field.input === 'choice' ? (
        <Select
          placeholder="None"
          options={Object.entries(listChoices(field, campus, formState.defaultValues?.[name])).map(
            ([value, label]) => ({ value, label }),
          )}
          {...register(name)}
        />
      ) : field.input === 'price' ? (
        <PriceInput {...register(name)} />
      ) : field.input === 'isbn' ? (
        <IsbnInput form={form} />
      ) : field.input === 'course' ? (
        <CourseInput form={form} />
      ) : field.input === 'weekdays' ? (
        <WeekdaysInput form={form} />
      ) : field.input === 'game' ? (
        <GameNameInput form={form} />
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
