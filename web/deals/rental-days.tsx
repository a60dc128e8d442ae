import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { maxRentalDaysAhead } from '#contract/deals.ts';
import type { Listing } from '#contract/listings.ts';
import { formatPriceField } from '#contract/price-fields.ts';
import { formatPrice } from '#contract/prices.ts';
import { computeRentalTotal, formatRentalTotal } from '#contract/rental-prices.ts';
import { findRentalRuleProblem } from '#contract/rental-rules.ts';
import { countRentalDays, isRentalInOrder } from '#contract/rental-times.ts';
import { formatDayRange } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Calendar, type CalendarDayRange } from '#web/ui/calendar.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormAlert } from '#web/ui/form-alert.tsx';
import { Select } from '#web/ui/select.tsx';
import { listingDealQuery } from './deal-cache.ts';
import { chooseRentalTimes, describeTakenTime, findTakenDays, listRentalTimeOptions } from './taken-hours.ts';
import { listDayNotes, TakenHours } from './taken-hours-list.tsx';
import type { useOfferForm } from './use-offer-form.ts';

/**
 * A calendar for choosing the days of a rental, and the times of pick-up and return. If the price is firm or follows from the
 * days, the form's price follows them and the listing's current prices.
 */
export function RentalDaysField({
  form,
  listing,
  ownId,
}: {
  form: ReturnType<typeof useOfferForm>['form'];
  listing: Listing;
  ownId: string;
}) {
  const campus = useCampus();
  const now = new Date();
  const today = toCampusDay(campus, now);
  const range = { from: today, to: addDays(today, maxRentalDaysAhead) };
  const { data: about } = useQuery(listingDealQuery(ownId, listing.id), queryClient);
  const periods = about?.taken_days ?? [];
  const taken = findTakenDays(periods, range, campus);
  const [first, last, pickup, returned] = useWatch({
    control: form.control,
    name: ['first_day', 'last_day', 'pickup_time', 'return_time'],
  });
  const { first_day: firstError, last_day: lastError, ...errors } = form.formState.errors;
  const period =
    first && last
      ? {
          first_day: first,
          last_day: last,
          pickup_time: pickup || undefined,
          return_time: returned || undefined,
        }
      : undefined;
  const chosen = period && isRentalInOrder(period) ? period : undefined;
  const days = chosen ? countRentalDays(chosen) : 0;
  const total = chosen && computeRentalTotal({ ...listing, period: listing.rental_period }, days, campus);
  const error =
    firstError?.message ??
    lastError?.message ??
    (chosen &&
      (findRentalRuleProblem(listing, chosen, campus)?.message ??
        describeTakenTime(periods, chosen, campus)));

  const { setValue, clearErrors, register } = form;
  const times = { taken: periods, campus, now };
  const choose = ({ first = '', last = '' }: Partial<CalendarDayRange>) => {
    const free = first && last ? chooseRentalTimes({ first_day: first, last_day: last }, times) : undefined;
    setValue('first_day', first);
    setValue('last_day', last);
    setValue('pickup_time', free?.pickup_time ?? '');
    setValue('return_time', free?.return_time ?? '');
    clearErrors(['first_day', 'last_day', 'pickup_time', 'return_time']);
  };
  // Errors of the days also depend on the times.
  const clearDayErrors = { onChange: () => clearErrors(['first_day', 'last_day']) };

  const price = total?.price ?? (chosen && listing.is_price_firm ? listing.price : undefined);
  useEffect(() => {
    if (price === undefined) return;
    setValue('price', formatPriceField(campus, price, false));
    clearErrors('price');
  }, [setValue, clearErrors, price, campus]);

  const explained = total?.parts.some(({ unit }) => unit !== 'day') ? total : undefined;
  return (
    <div>
      <Calendar
        mode="range"
        {...range}
        today={today}
        taken={taken.full}
        notes={listDayNotes(taken.partly, listing, range)}
        chosen={{ ...(first && { first }), ...(last && { last }) }}
        onChoose={choose}
      />
      <TakenHours partly={taken.partly} />
      <p aria-live="polite" className="mt-2 text-center text-sm">
        <span>
          {days > 0
            ? `${formatDayRange(first, last, campus)}: ${days} ${days === 1 ? 'day' : 'days'}`
            : !error && 'Choose the first and the last day'}
        </span>
        {explained && (
          <span className="block text-ink-muted">{`${formatRentalTotal(explained)}, ${formatPrice(campus, explained.price)}`}</span>
        )}
      </p>
      <FormAlert className="text-center">{error}</FormAlert>
      {period && (
        // The times of other days are other fields, which begin with the values that were set.
        <div key={`${first} ${last}`} className="mt-3 grid grid-cols-2 gap-3">
          <Field label="Pick-up from" error={errors.pickup_time?.message}>
            <Select
              className="figures"
              options={listRentalTimeOptions('pickup_time', period, times)}
              {...register('pickup_time', clearDayErrors)}
            />
          </Field>
          <Field label="Return by" error={errors.return_time?.message}>
            <Select
              className="figures"
              options={listRentalTimeOptions('return_time', period, times)}
              {...register('return_time', clearDayErrors)}
            />
          </Field>
        </div>
      )}
    </div>
  );
}
