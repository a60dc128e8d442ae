import { useId } from 'react';
import { dealSeconds } from '#contract/deal-process.ts';
import { type Deal, reasonLength } from '#contract/deals.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { DealFormDialog } from './deal-form-dialog.tsx';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useNow } from './use-now.ts';
import { useTransitionForm } from './use-transition-form.ts';

/** Returns whether cancelling now counts as late. A renter whose item is not back may cancel at any time. */
const isLate = ({ handover, ...deal }: Deal, ownId: string, now: Date): boolean =>
  !(deal.item_overdue && deal.buyer_id === ownId) &&
  Boolean(handover?.time) &&
  Date.parse(handover?.time ?? '') - now.getTime() < dealSeconds.lateCancellation * 1000;

/** Cancels a deal with a reason. Warns when the cancellation will count as late. */
export function CancelDialog({ deal, ownId, otherName, onClose }: TransitionDialogProps) {
  const formId = useId();
  const now = useNow();
  const isOver = Date.parse(deal.handover?.time ?? '') <= now.getTime();
  const { register, errors, formProps, isSending } = useTransitionForm({
    deal,
    ownId,
    defaultValues: { reason: '' },
    toInput: ({ reason }) => ({ transition: 'cancel', reason }),
    onClose,
  });
  return (
    <DealFormDialog
      title="Cancel this deal?"
      description={`The item is no longer on hold. ${otherName} sees your reason.`}
      formId={formId}
      submitLabel="Cancel the deal"
      submitVariant="danger"
      dismissLabel="Keep the deal"
      sending={isSending}
      onClose={onClose}
    >
      <form id={formId} {...formProps} className="flex flex-col gap-4">
        {isLate(deal, ownId, now) && (
          <Alert tone="notice" title="This is a late cancellation">
            {isOver
              ? 'The time that you agreed on is over, so cancelling counts on your profile.'
              : 'You meet in less than two hours, so cancelling counts on your profile.'}
          </Alert>
        )}
        <Field label="Reason" error={errors.reason?.message} required>
          <Textarea maxLength={reasonLength.max} className="min-h-20" {...register('reason')} />
        </Field>
      </form>
    </DealFormDialog>
  );
}
