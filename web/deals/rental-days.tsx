import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { toCampusDay } from '#contract/campus.ts';
import { addDays, countDaysInclusive } from '#contract/days.ts';
import { maxRentalDaysAhead } from '#contract/deals.ts';
import type { Listing } from '#contract/listings.ts';
import { formatPriceField } from '#contract/price-fields.ts';
import { computeRentalPrice, isRentalPriceComputed } from '#contract/rental-prices.ts';
import { formatDayRange } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Calendar, type CalendarDayRange } from '#web/ui/calendar.tsx';
import { FormAlert } from '#web/ui/form-alert.tsx';
import { listingDealQuery } from './deal-cache.ts';
import type { useOfferForm } from './use-offer-form.ts';

/**
 * A calendar for choosing the days of a rental. If the price is firm or computed from the number of days,
 * the form's price follows the days and the listing's current price.
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
  const today = toCampusDay(campus, new Date());
  const { data: about } = useQuery(listingDealQuery(ownId, listing.id), queryClient);
  const [first, last] = useWatch({ control: form.control, name: ['first_day', 'last_day'] });
  const { first_day: firstError, last_day: lastError } = form.formState.errors;
  const error = firstError?.message ?? lastError?.message;
  const days = first && last ? countDaysInclusive(first, last) : 0;

  const { setValue, clearErrors } = form;
  const choose = (chosen: Partial<CalendarDayRange>) => {
    setValue('first_day', chosen.first ?? '');
    setValue('last_day', chosen.last ?? '');
    clearErrors(['first_day', 'last_day']);
  };

  const { price, rental_period: period, is_price_firm: isFirm } = listing;
  useEffect(() => {
    if (!first || !last || !(isFirm || isRentalPriceComputed(period))) return;
    setValue(
      'price',
      formatPriceField(
        campus,
        computeRentalPrice({ price, period, first_day: first, last_day: last }, campus),
        false,
      ),
    );
    clearErrors('price');
  }, [setValue, clearErrors, first, last, price, period, isFirm, campus]);

  return (
    <div>
      <Calendar
        mode="range"
        from={today}
        today={today}
        to={addDays(today, maxRentalDaysAhead)}
        taken={about?.taken_days.map((days) => ({ first: days.first_day, last: days.last_day }))}
        chosen={{ ...(first && { first }), ...(last && { last }) }}
        onChoose={choose}
      />
      <p aria-live="polite" className="mt-2 text-center text-sm">
        {days > 0
          ? `${formatDayRange(first, last, campus)}: ${days} ${days === 1 ? 'day' : 'days'}`
          : !error && 'Choose the first and the last day'}
      </p>
      <FormAlert className="text-center">{error}</FormAlert>
    </div>
  );
}
