import { useId } from 'react';
import { toCampusDay } from '#contract/campus.ts';
import { formatPriceField } from '#contract/price-fields.ts';
import { priceTextToNumber } from '#contract/price-text.ts';
import { computeExtraPrice } from '#contract/rental-prices.ts';
import { formatRentalEnd } from '#contract/rental-times.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Field } from '#web/ui/field.tsx';
import { PriceInput } from '#web/ui/price-input.tsx';
import { DealFormDialog } from './deal-form-dialog.tsx';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useDealTransitionForm } from './use-deal-transition-form.ts';

/** The dialog in which the owner of a late rental proposes a price for the extra days. */
export function ExtraPriceDialog({ deal, ownId, otherName, onClose }: TransitionDialogProps) {
  const formId = useId();
  const campus = useCampus();
  const returned = deal.state === 'back' ? new Date(deal.updated_at) : new Date();
  const suggested = computeExtraPrice(deal, toCampusDay(campus, returned), campus);
  const { register, errors, formProps, isSending } = useDealTransitionForm({
    transition: 'propose_extra_price',
    deal,
    ownId,
    defaultValues: { price: suggested ? formatPriceField(campus, suggested, false) : '' },
    toData: ({ price }) => ({ price: priceTextToNumber(campus, price) }),
    onClose,
  });
  return (
    <DealFormDialog
      title="Price for the extra days"
      description={`It was due back on ${formatRentalEnd(deal, campus)}. ${isolateDirection(otherName)} can agree or decline. You two settle it: Quad charges nothing.`}
      formId={formId}
      submitLabel="Propose"
      sending={isSending}
      onClose={onClose}
    >
      <form id={formId} {...formProps}>
        <Field label="Price for all extra days" error={errors.price?.message} required>
          <PriceInput {...register('price')} />
        </Field>
      </form>
    </DealFormDialog>
  );
}
