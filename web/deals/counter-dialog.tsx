import { useId } from 'react';
import { formatDealTerms } from '#contract/deal-event-lines.ts';
import { priceTextToNumber } from '#contract/listing-form.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { DealFormDialog } from './deal-form-dialog.tsx';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useDealTransitionForm } from './use-deal-transition-form.ts';

export function CounterOfferDialog({ deal, ownId, otherName, onClose }: TransitionDialogProps) {
  const formId = useId();
  const { register, errors, formProps, isSending } = useDealTransitionForm({
    transition: 'counter',
    deal,
    ownId,
    defaultValues: { price: '' },
    toData: ({ price }) => ({ price: priceTextToNumber(price) }),
    onClose,
  });
  return (
    <DealFormDialog
      title="Make a counter-offer"
      description={`The current offer is ${formatDealTerms(deal)}. ${isolateDirection(otherName)} has to accept yours.`}
      formId={formId}
      submitLabel="Send counter-offer"
      sending={isSending}
      onClose={onClose}
    >
      <form id={formId} {...formProps}>
        <Field label="Your price" error={errors.price?.message} required>
          <Input leading="$" inputMode="decimal" autoComplete="off" {...register('price')} />
        </Field>
      </form>
    </DealFormDialog>
  );
}
