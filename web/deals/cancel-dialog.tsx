import { useId } from 'react';
import { isLateCancellation } from '#contract/deal-process.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { DealFormDialog } from './deal-form-dialog.tsx';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useDealTransitionForm } from './use-deal-transition-form.ts';
import { useNow } from './use-now.ts';

/** The dialog for canceling a deal with a reason. It warns when the cancellation will count as late. */
export function CancelDealDialog({ deal, ownId, otherName, onClose }: TransitionDialogProps) {
  const formId = useId();
  const now = useNow();
  const meetingTime = deal.handover?.time ? new Date(deal.handover.time) : null;
  const party = deal.buyer_id === ownId ? 'buyer' : 'seller';
  const isLate = isLateCancellation(
    { handover_at: meetingTime, item_overdue: deal.item_overdue },
    party,
    now,
  );
  const { register, errors, formProps, isSending } = useDealTransitionForm({
    transition: 'cancel',
    deal,
    ownId,
    defaultValues: { reason: '' },
    toData: ({ reason }) => ({ reason }),
    onClose,
  });
  return (
    <DealFormDialog
      title="Cancel this deal?"
      description={`The item is no longer on hold. ${isolateDirection(otherName)} sees your reason.`}
      formId={formId}
      submitLabel="Cancel the deal"
      submitVariant="danger"
      dismissLabel="Keep the deal"
      sending={isSending}
      onClose={onClose}
    >
      <form id={formId} {...formProps} className="flex flex-col gap-4">
        {isLate && (
          <Alert tone="notice" title="This is a late cancellation">
            {meetingTime && meetingTime <= now
              ? 'The time that you agreed on is over, so cancelling counts on your profile.'
              : 'You meet in less than two hours, so cancelling counts on your profile.'}
          </Alert>
        )}
        <Field label="Reason" error={errors.reason?.message} required>
          <Textarea className="min-h-20" {...register('reason')} />
        </Field>
      </form>
    </DealFormDialog>
  );
}
