import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import type { Campus } from '#contract/campus.ts';
import { conditionLabels, conditions, getCategoryLabel, postableCategories } from '#contract/categories.ts';
import {
  categoryFieldByColumn,
  categoryFieldNames,
  categorySearchColumns,
  findRentalPriceField,
} from '#contract/category-fields.ts';
import { descriptionLength, locationLength, titleLength } from '#contract/listing-form.ts';
import { formatPriceField } from '#contract/price-fields.ts';
import { priceTextToNumber } from '#contract/price-text.ts';
import { formatAmount } from '#contract/prices.ts';
import { rentalPeriodLabels, rentalPeriods } from '#contract/selling.ts';
import { countCharacters } from '#contract/text.ts';
import {
  findHighestTicketPrice,
  formatHighestTicketPrice,
  isTicketListing,
  isTicketPriceCapped,
} from '#contract/tickets.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { PriceInput } from '#web/ui/price-input.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { Select } from '#web/ui/select.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { PeopleLookingForIt } from '#web/wanted/public.ts';
import { SoldHere } from '../sold-here.tsx';
import { CategoryFields } from './category-fields.tsx';
import { CategorySuggestion } from './category-suggestion.tsx';
import { GuidelineHints } from './guideline-hints.tsx';
import { SellingFields } from './selling-fields.tsx';
import { type ListingFormMethods, type ListingFormValues, toTicketFacts } from './submission.ts';

export interface ListingFieldsProps {
  form: ListingFormMethods;
  campus: Campus;
  /** The current date on campus (YYYY-MM-DD), which is the earliest possible game date. */
  today: string;
  /** The email address of the account, which can be filled in as the contact email. */
  ownEmail: string;
}

const rentalPeriodOptions = rentalPeriods.map((value) => ({
  value,
  label: value === 'flexible' ? rentalPeriodLabels.flexible : `A ${value}`,
}));
const conditionOptions = conditions.map((value) => ({ value, label: conditionLabels[value] }));

/** Returns how high the price of the tickets in the form may be, or undefined when it is not limited. */
const describeHighestTicketPrice = (
  campus: Campus,
  values: Partial<ListingFormValues>,
): string | undefined => {
  const facts = toTicketFacts(values, campus);
  const highest =
    isTicketListing(facts) && facts.face_value && findHighestTicketPrice(campus, facts.face_value);
  return highest ? formatHighestTicketPrice(campus, highest) : undefined;
};

/** Returns the values of the fields of categories that searches read, by column. */
const pickSearchTexts = (values: Partial<ListingFormValues>) =>
  Object.fromEntries(categorySearchColumns.map((column) => [column, values[categoryFieldByColumn[column]]]));

/** All fields of the form except photos. A field's error disappears when the field is edited. */
export function ListingFields({ form, campus, today, ownEmail }: ListingFieldsProps) {
  const { register, setValue, setFocus, clearErrors, control, formState } = form;
  const { errors } = formState;
  const { mascot } = campus;
  const values = useWatch({ control });
  const category = values.category ?? '';
  const free = category === 'free';
  const pricedAt = useRef('');

  // Choosing the category Free sets the price to 0.00.
  useEffect(() => {
    if (free) {
      setValue('price', formatPriceField(campus, 0), { shouldDirty: true });
      clearErrors('price');
    }
  }, [free, setValue, clearErrors, campus]);

  const options = postableCategories.map((value) => ({ value, label: getCategoryLabel(value, mascot) }));
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
        <Field
          label="Category"
          error={errors.category?.message}
          hint={
            category === '' && (
              <CategorySuggestion
                title={values.title ?? ''}
                mascot={mascot}
                onChoose={(chosen) => {
                  setValue('category', chosen, { shouldDirty: true });
                  clearErrors(['category', 'price']);
                  setFocus('category');
                }}
              />
            )
          }
          required
        >
          <Select
            placeholder="Select a category"
            options={
              known
                ? options
                : [...options, { value: category, label: getCategoryLabel('trojan-merch', mascot) }]
            }
            {...register('category', {
              onChange: (event: { target: { value: string } }) => {
                clearErrors(['category', 'gameDate', 'price', ...categoryFieldNames]);
                if (event.target.value === 'free') pricedAt.current = values.price ?? '';
                else if (free) setValue('price', pricedAt.current, { shouldDirty: true });
              },
            })}
          />
        </Field>
        <Field label="Condition" error={errors.condition?.message} required>
          <RadioGroup look="chips" options={conditionOptions} {...register('condition')} />
        </Field>
        <Field
          label="Price"
          error={errors.price?.message}
          hint={
            free
              ? `Free items cost ${formatAmount(campus, 0, true)}.`
              : (describeHighestTicketPrice(campus, values) ?? (
                  <SoldHere
                    money={campus}
                    category={category}
                    title={values.title ?? ''}
                    isbn={values.isbn}
                  />
                ))
          }
          required
        >
          <PriceInput readOnly={free} {...register('price')} />
        </Field>
        {category === 'rentals' && (
          <Field label="Price is for" error={errors.rentalPeriod?.message}>
            <Select
              options={rentalPeriodOptions}
              {...register('rentalPeriod', {
                // The form does not ask twice for the price of the same period.
                onChange: ({ target }: { target: { value: string } }) => {
                  const field = findRentalPriceField(target.value);
                  if (field) setValue(field, '');
                },
              })}
            />
          </Field>
        )}
        {category === 'game-day' && (
          <Field label="Game date" error={errors.gameDate?.message}>
            <Input type="date" min={today} {...register('gameDate')} />
          </Field>
        )}
        {category !== 'rentals' && (
          <CategoryFields
            form={form}
            category={category}
            required={isTicketPriceCapped(campus, toTicketFacts(values, campus)) ? 'faceValue' : undefined}
          />
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
      <GuidelineHints
        title={values.title ?? null}
        description={values.description ?? null}
        location={values.location ?? null}
        contact_email={values.contactEmail ?? null}
        category={category}
        price={Number(priceTextToNumber(campus, values.price))}
      />
      <PeopleLookingForIt
        title={values.title ?? ''}
        description={values.description ?? ''}
        location={values.location ?? ''}
        category={category}
        price={values.price ?? ''}
        fields={pickSearchTexts(values)}
      />
      <ContactFields form={form} ownEmail={ownEmail} />
      <SellingFields form={form} />
    </>
  );
}

const publicContactHint = 'Everyone can see this on your listing';

/** The email and phone fields, for people who prefer these to messages. At least one of them is required. */
function ContactFields({ form, ownEmail }: Pick<ListingFieldsProps, 'form' | 'ownEmail'>) {
  const { register, setValue, setFocus, clearErrors, control, formState } = form;
  const { errors } = formState;
  const email = useWatch({ control, name: 'contactEmail' });
  // One contact method is enough, so editing either field clears the errors of both.
  const clearBoth = () => clearErrors(['contactEmail', 'contactPhone']);
  const fillInOwnEmail = () => {
    setValue('contactEmail', ownEmail, { shouldDirty: true });
    clearBoth();
  };
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
          <Button variant="link" size="sm" className="-my-3" onClick={email ? removeEmail : fillInOwnEmail}>
            {email ? (
              <span>
                Remove<span className="sr-only"> contact email</span>
              </span>
            ) : (
              <span>Use my email</span>
            )}
          </Button>
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
