import { ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { findRentalPriceField, listCategoryFields } from '#contract/category-fields.ts';
import { giftDrawHours, giftModeLabels, giftModes, holdHourOptions } from '#contract/selling.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { Select } from '#web/ui/select.tsx';
import { CategoryFields } from './category-fields.tsx';
import type { ListingFormMethods, ListingFormValues } from './submission.ts';

const holdOptions = holdHourOptions
  .toReversed()
  .map((hours) => ({ value: String(hours), label: `${hours} hours` }));

const drawOptions = [giftDrawHours.min, 3, 6, 12, 24, giftDrawHours.max].map((hours) => ({
  value: String(hours),
  label: hours === 1 ? '1 hour' : `${hours} hours`,
}));

const giftModeHints = {
  first_come: 'The first person who asks is the first in line.',
  draw: 'Everybody can ask until it closes; then the order is drawn at random.',
} as const;
const giftModeOptions = giftModes.map((value) => ({
  value,
  label: giftModeLabels[value],
  hint: giftModeHints[value],
}));

/** Returns a short summary of the options chosen in this section. */
const summarizeChoices = ({
  category,
  giftMode,
  holdHours: hold,
  isPriceFirm,
}: Partial<ListingFormValues>): string => {
  const held = `reserved for ${hold} hours`;
  if (category === 'free') return `${giftMode === 'draw' ? 'A draw' : 'First come, first served'}, ${held}`;
  if (category === 'rentals') return `More prices, days and deposit; requests are ${held}`;
  return isPriceFirm ? `Firm price, ${held}` : `Open to offers, ${held}`;
};

const toHeading = (category: string | undefined): string => {
  if (category === 'free') return 'How you want to give it away';
  return category === 'rentals' ? 'How you want to rent it out' : 'How you want to sell';
};

/**
 * The options for selling, such as a firm price. They are in an initially collapsed section, because
 * their defaults suit most listings.
 */
export function SellingFields({ form }: Pick<{ form: ListingFormMethods }, 'form'>) {
  const { register, setValue, control, formState } = form;
  const { errors } = formState;
  const values = useWatch({ control });
  const { category } = values;
  const isRental = category === 'rentals';
  const names = isRental ? listCategoryFields('rentals').map(([name]) => name) : [];
  const hasError = ([...names, 'holdHours', 'giftMode', 'drawHours', 'isPriceFirm'] as const).some(
    (name) => errors[name],
  );
  const section = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (hasError && section.current) section.current.open = true;
  }, [hasError]);
  return (
    <details ref={section} className="group rounded-md border border-line-strong">
      <summary className="flex min-h-13 cursor-pointer list-none items-center gap-3 rounded-md px-4 py-2.5 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">{toHeading(category)}</span>
          <span className="block text-ink-muted text-sm">{summarizeChoices(values)}</span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-ink-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="flex flex-col gap-5 px-4 pt-2 pb-4">
        {category === 'free' && (
          <Field label="Who gets it" error={errors.giftMode?.message}>
            <RadioGroup
              options={giftModeOptions}
              value={values.giftMode}
              onValueChange={(mode) => setValue('giftMode', mode, { shouldDirty: true })}
            />
          </Field>
        )}
        {category === 'free' && values.giftMode === 'draw' && (
          <Field
            label="The draw closes after"
            error={errors.drawHours?.message}
            hint="Counted from when the listing is posted."
          >
            <Select options={drawOptions} {...register('drawHours')} />
          </Field>
        )}
        {isRental && (
          <div className="grid gap-5 sm:grid-cols-2">
            <CategoryFields
              form={form}
              category="rentals"
              without={findRentalPriceField(values.rentalPeriod)}
            />
          </div>
        )}
        {category !== 'free' && !isRental && (
          <Checkbox
            label="The price is firm"
            hint="People can ask to buy, but cannot offer another price."
            error={errors.isPriceFirm?.message}
            checked={values.isPriceFirm === 'true'}
            onChange={(event) =>
              setValue('isPriceFirm', event.currentTarget.checked ? 'true' : '', { shouldDirty: true })
            }
          />
        )}
        <Field
          label="Reserved for"
          error={errors.holdHours?.message}
          hint="How long an accepted offer reserves the item until you agree on where and when to meet."
        >
          <Select options={holdOptions} {...register('holdHours')} />
        </Field>
      </div>
    </details>
  );
}
