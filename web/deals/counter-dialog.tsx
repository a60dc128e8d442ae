import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import { formatDealTerms } from '#contract/deal-event-lines.ts';
import { formatPriceField } from '#contract/price-fields.ts';
import { priceTextToNumber } from '#contract/price-text.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Field } from '#web/ui/field.tsx';
import { PriceInput } from '#web/ui/price-input.tsx';
import { AbovePriceQuestion, sendAnywayLabel, useAbovePriceQuestion } from './above-price-question.tsx';
import { DealFormDialog } from './deal-form-dialog.tsx';
import { OfferPriceChips } from './offer-price-chips.tsx';
import { listSuggestedCounterOffers } from './suggested-offers.ts';
import type { TransitionDialogProps } from './transition-dialog-props.ts';
import { useDealTransitionForm } from './use-deal-transition-form.ts';

export function CounterOfferDialog({ deal, ownId, otherName, listing, onClose }: TransitionDialogProps) {
  const formId = useId();
  const campus = useCampus();
  const { register, control, setValue, errors, formProps, isSending } = useDealTransitionForm({
    transition: 'counter',
    deal,
    ownId,
    defaultValues: { price: '' },
    toData: ({ price }) => ({ price: priceTextToNumber(campus, price) }),
    onClose,
  });
  // The price of a rental is per day, week or month, and an offer is for all days.
  const askingPrice = deal.kind === 'sale' ? (listing?.price ?? null) : null;
  const price = Number(priceTextToNumber(campus, useWatch({ control, name: 'price' })));
  const { isAsked, askBefore } = useAbovePriceQuestion(price, askingPrice);
  const party = deal.buyer_id === ownId ? 'buyer' : 'seller';
  return (
    <DealFormDialog
      title="Make a counter-offer"
      description={`The current offer is ${formatDealTerms(deal, campus)}. ${isolateDirection(otherName)} has to accept yours.`}
      formId={formId}
      submitLabel={isAsked ? sendAnywayLabel : 'Send counter-offer'}
      sending={isSending}
      onClose={onClose}
    >
      <form
        id={formId}
        {...formProps}
        onSubmit={askBefore(formProps.onSubmit)}
        className="flex flex-col gap-5"
      >
        <Field label="Your price" error={errors.price?.message} required>
          <PriceInput {...register('price')} />
        </Field>
        <OfferPriceChips
          offers={listSuggestedCounterOffers(party, { offer: deal.price ?? 0, askingPrice }, campus)}
          chosen={price}
          onChoose={(chosen) =>
            setValue('price', formatPriceField(campus, chosen, false), {
              shouldDirty: true,
              shouldValidate: true,
            })
          }
        />
        {isAsked && <AbovePriceQuestion />}
      </form>
    </DealFormDialog>
  );
}
