import { useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useEffectEvent, useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { UNSAFE_DataRouterContext } from 'react-router';
import { formatPriceField } from '#contract/price-fields.ts';
import { priceTextToNumber } from '#contract/price-text.ts';
import { formatDeposit } from '#contract/rental-prices.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Field } from '#web/ui/field.tsx';
import { PriceInput } from '#web/ui/price-input.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { AbovePriceQuestion, sendAnywayLabel, useAbovePriceQuestion } from './above-price-question.tsx';
import { listingDealQuery } from './deal-cache.ts';
import { DealFormDialog } from './deal-form-dialog.tsx';
import { listingQuery } from './listing-query.ts';
import { OfferPriceChips } from './offer-price-chips.tsx';
import { describeNextStepAfterOffer, offerDialogTitles, offerSubmitLabels } from './offer-texts.ts';
import { RentalDaysField } from './rental-days.tsx';
import { listSuggestedOffers } from './suggested-offers.ts';
import { type OfferFormOptions, useOfferForm } from './use-offer-form.ts';

/**
 * The dialog that starts a deal about a listing and then opens the conversation. It closes itself if the
 * person already has an open deal; until this and the current price are known, the form cannot be sent.
 */
export function OfferDialog(props: OfferFormOptions) {
  const { ownId, onClose } = props;
  // The page around the dialog may be old, so load the listing again, above all its price.
  const { data: listing, isFetching } = useQuery(
    { ...listingQuery(props.listing.slug), initialData: props.listing },
    queryClient,
  );
  const { data, fetchStatus, failureCount } = useQuery(listingDealQuery(ownId, listing.id), queryClient);
  const isKnown = data !== undefined || fetchStatus !== 'fetching' || failureCount > 0;
  const hasOpenDeal = Boolean(data?.deal);
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const reloadOutdatedPage = useEffectEvent((price: number) => {
    if (price !== props.listing.price) void router?.revalidate();
  });
  useEffect(() => reloadOutdatedPage(listing.price), [listing.price]);
  // True once the form can be sent. After that, an open deal that appears in the cache must not close the
  // dialog here, because the form may have just created it; in that case, the form closes the dialog
  // itself.
  const [isReady, setIsReady] = useState(false);
  if (isKnown && !isFetching && !hasOpenDeal && !isReady) setIsReady(true);
  const isRefused = hasOpenDeal && !isReady;
  useEffect(() => {
    if (isRefused) onClose();
  }, [isRefused, onClose]);
  return isRefused ? null : <OfferForm {...props} listing={listing} isReady={isReady} />;
}

function OfferForm({ name, listing, ownId, onClose, isReady }: OfferFormOptions & { isReady: boolean }) {
  const formId = useId();
  const campus = useCampus();
  const { form, hasPrice, formProps } = useOfferForm({ name, listing, ownId, onClose });
  const price = Number(priceTextToNumber(campus, useWatch({ control: form.control, name: 'price' }) ?? ''));
  const { isAsked, askBefore } = useAbovePriceQuestion(price, name === 'offer' ? listing.price : undefined);
  const { errors, isSubmitting } = form.formState;
  const lastDay = useWatch({ control: form.control, name: 'last_day' });
  const needsDays = name === 'request' && !lastDay;
  const submitLabel = needsDays ? 'Choose days' : isAsked ? sendAnywayLabel : offerSubmitLabels[name];

  return (
    <DealFormDialog
      title={offerDialogTitles[name]}
      description={describeNextStepAfterOffer(name, listing, { campus, now: new Date() })}
      formId={formId}
      submitLabel={submitLabel}
      sending={isSubmitting || !isReady}
      // While it is being sent, closing could no longer prevent the offer.
      onClose={() => !isSubmitting && onClose()}
    >
      <form
        id={formId}
        {...formProps}
        onSubmit={askBefore(formProps.onSubmit)}
        className="flex flex-col gap-5"
      >
        {name === 'request' && <RentalDaysField form={form} listing={listing} ownId={ownId} />}
        {hasPrice && (
          <Field
            label={name === 'request' ? 'Total price' : 'Your offer'}
            error={errors.price?.message}
            hint={listing.is_price_firm ? 'The price is firm.' : undefined}
            required
          >
            <PriceInput readOnly={listing.is_price_firm} {...form.register('price')} />
          </Field>
        )}
        {name === 'request' && typeof listing.deposit === 'number' && (
          <p className="text-ink-muted text-sm">{formatDeposit(listing.deposit, campus)}</p>
        )}
        {name === 'offer' && (
          <OfferPriceChips
            offers={listSuggestedOffers(listing.price, campus)}
            chosen={price}
            onChoose={(chosen) =>
              form.setValue('price', formatPriceField(campus, chosen, false), {
                shouldDirty: true,
                shouldValidate: true,
              })
            }
          />
        )}
        {isAsked && <AbovePriceQuestion />}
        <Field label="Message (optional)" error={errors.message_text?.message}>
          <Textarea
            className="min-h-20"
            placeholder={`Hi ${isolateDirection(listing.seller.name.split(' ')[0] ?? '')}, is it still available?`}
            {...form.register('message_text')}
          />
        </Field>
      </form>
    </DealFormDialog>
  );
}
