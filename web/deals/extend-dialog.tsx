import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Controller } from 'react-hook-form';
import { toCampusDay } from '#contract/campus.ts';
import { formatRentalEnd, isRentalOver, toCampusMinute } from '#contract/rental-times.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Calendar } from '#web/ui/calendar.tsx';
import { FormAlert } from '#web/ui/form-alert.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { listingDealQuery } from './deal-cache.ts';
import { DealFormDialog } from './deal-form-dialog.tsx';
import { listDaysBetween, listExtensionDays } from './extension-days.ts';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useDealTransitionForm } from './use-deal-transition-form.ts';

/** The dialog in which a renter asks to keep an item longer. */
export function ExtendRentalDialog({ deal, ownId, otherName, onClose }: TransitionDialogProps) {
  const formId = useId();
  const campus = useCampus();
  const now = new Date();
  const { data, isPending } = useQuery(listingDealQuery(ownId, deal.listing_id ?? ''), queryClient);
  const { first_day: firstDay, last_day: lastDay } = deal;
  // If the taken days and the rules cannot be loaded, all days can be chosen, and the server refuses those that are not possible.
  const { days, problem } =
    isPending || firstDay === null || lastDay === null
      ? { days: [] }
      : listExtensionDays(
          { ...deal, first_day: firstDay, last_day: lastDay },
          { taken: data?.taken_days ?? [], rules: data?.rental_rules ?? {}, campus, now },
        );
  const [from] = days;
  const to = days.at(-1);
  const { control, errors, formProps, isSending } = useDealTransitionForm({
    transition: 'extend',
    deal,
    ownId,
    // `last_day` is empty until the person chooses a day; meanwhile the form displays and sends the first
    // possible day.
    defaultValues: { last_day: '' },
    toData: ({ last_day }) => ({ last_day: last_day || from }),
    // The day is not part of the draft, because it may be taken by the time the draft is restored.
    omitFromDraft: ['last_day'],
    onClose,
  });
  return (
    // Render the same dialog element before and after its content is loaded, so that it keeps the focus.
    <DealFormDialog
      title="Ask to keep it longer"
      description={
        from &&
        `Your rental ends on ${formatRentalEnd(deal, campus)}. ${isolateDirection(otherName)} has to accept a later day.`
      }
      formId={formId}
      submitLabel={from && 'Ask'}
      sending={isSending}
      onClose={onClose}
    >
      {isPending ? (
        <div className="grid place-items-center py-10">
          <Spinner label="Loading taken days" />
        </div>
      ) : from && to ? (
        <form id={formId} {...formProps}>
          <Controller
            control={control}
            name="last_day"
            render={({ field }) => (
              <>
                <Calendar
                  mode="day"
                  from={from}
                  to={to}
                  taken={listDaysBetween(days)}
                  today={toCampusDay(campus, now)}
                  chosen={field.value || from}
                  onChoose={(day) => day && field.onChange(day)}
                />
                <p
                  aria-live="polite"
                  className="mt-2 text-center text-sm"
                >{`New end: ${formatRentalEnd({ ...deal, last_day: field.value || from }, campus)}`}</p>
              </>
            )}
          />
          <FormAlert className="mt-1 text-center">{errors.last_day?.message}</FormAlert>
        </form>
      ) : (
        <Alert tone="notice" title={problem ?? ''}>
          {isRentalOver(deal, toCampusMinute(campus, now))
            ? 'Please return it now.'
            : `Please return it on ${formatRentalEnd(deal, campus)}.`}
        </Alert>
      )}
    </DealFormDialog>
  );
}
