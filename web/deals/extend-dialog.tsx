import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Controller } from 'react-hook-form';
import { toCampusDay } from '#contract/campus.ts';
import { formatDay } from '#contract/deal-lines.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Calendar } from '#web/ui/calendar.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormAlert } from '#web/ui/form-alert.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { listingDealQuery } from './deal-cache.ts';
import { DealFormDialog } from './deal-form-dialog.tsx';
import { findExtensionDays } from './extension-days.ts';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useTransitionForm } from './use-transition-form.ts';

interface ExtendFormProps extends TransitionDialogProps {
  /** Current date on the campus, YYYY-MM-DD. */
  today: string;
  /** The possible new last days. */
  days: { from: string; to: string };
}

const title = 'Ask to keep it longer';

/** Asks the owner of a rental for a later last day. */
export function ExtendDialog(props: TransitionDialogProps) {
  const { deal, ownId, onClose } = props;
  const today = toCampusDay(useCampus(), new Date());
  const { data, isPending } = useQuery(listingDealQuery(ownId, deal.listing_id ?? ''), queryClient);
  // If the taken days cannot be loaded, the server refuses them.
  const taken = data?.taken_days.map((days) => ({ first: days.first_day, last: days.last_day })) ?? [];
  const days = findExtensionDays(deal.last_day ?? '', taken, today);
  if (!isPending && days) return <ExtendForm {...props} today={today} days={days} />;
  return (
    <Dialog open onOpenChange={onClose} title={title} size="sm">
      {isPending ? (
        <div className="grid place-items-center py-10">
          <Spinner label="Loading taken days" />
        </div>
      ) : (
        <Alert tone="notice" title="Somebody else has the next days">
          Please return it on {formatDay(deal.last_day ?? '')}.
        </Alert>
      )}
    </Dialog>
  );
}

function ExtendForm({ deal, ownId, otherName, onClose, today, days }: ExtendFormProps) {
  const formId = useId();
  const { control, errors, formProps, isSending } = useTransitionForm({
    transition: 'extend',
    deal,
    ownId,
    defaultValues: { last_day: days.from },
    toData: ({ last_day }) => ({ last_day }),
    // The day may be taken by the time the form is restored.
    omitFromDraft: ['last_day'],
    onClose,
  });
  return (
    <DealFormDialog
      title={title}
      description={`Your rental ends on ${formatDay(deal.last_day ?? '')}. ${otherName} has to accept a later day.`}
      formId={formId}
      submitLabel="Ask"
      sending={isSending}
      onClose={onClose}
    >
      <form id={formId} {...formProps}>
        <Controller
          control={control}
          name="last_day"
          render={({ field }) => (
            <>
              <Calendar
                mode="day"
                {...days}
                today={today}
                chosen={field.value}
                onChoose={(day) => day && field.onChange(day)}
              />
              <p aria-live="polite" className="mt-2 text-center text-sm">
                New last day: {formatDay(field.value)}
              </p>
            </>
          )}
        />
        <FormAlert className="mt-1 text-center">{errors.last_day?.message}</FormAlert>
      </form>
    </DealFormDialog>
  );
}
