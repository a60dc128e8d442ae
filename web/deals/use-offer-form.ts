import { useState } from 'react';
import { useNavigate } from 'react-router';
import { calls } from '#contract/calls.ts';
import { createStartDealSchema, type Deal, type StartDealBody } from '#contract/deals.ts';
import type { Listing } from '#contract/listings.ts';
import { priceTextToNumber } from '#contract/price-text.ts';
import { formatPrice } from '#contract/prices.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { useHasLeft } from '#web/lib/use-has-left.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { toast } from '#web/ui/toast.ts';
import { applyDeal, listingDealQuery } from './deal-cache.ts';
import type { OfferDialogName } from './listing-deal-buttons.tsx';
import { listingQuery } from './listing-query.ts';
import { applyDealFromError, isDealChangedError, sendWithClientId } from './make-transition.ts';
import { describeTakenTime } from './taken-hours.ts';

interface OfferValues {
  price: string;
  first_day: string;
  last_day: string;
  /** The times (HH:MM) of pick-up and return; empty for the whole day. */
  pickup_time: string;
  return_time: string;
  message_text: string;
}

export interface OfferFormOptions {
  name: OfferDialogName;
  listing: Listing;
  ownId: string;
  onClose: () => void;
}

/**
 * Creates the form that starts a deal. When the deal has been created, or the person already has an
 * open one, the dialog closes and the conversation opens.
 */
export const useOfferForm = ({ name, listing, ownId, onClose }: OfferFormOptions) => {
  // This id is part of the key for retries: sending again in the same dialog retries the same offer, and
  // reopening the dialog starts a new one.
  const [dialogId] = useState(createUuid);
  const campus = useCampus();
  const navigate = useNavigate();
  const hasLeft = useHasLeft();
  const hasPrice = name === 'offer' || name === 'request';
  // The calendar does not offer what is taken, but days between the chosen ones can be taken partly.
  const schema = createStartDealSchema(campus).superRefine(({ first_day, last_day, ...times }, context) => {
    if (!first_day || !last_day) return;
    const taken = queryClient.getQueryData(listingDealQuery(ownId, listing.id).queryKey)?.taken_days ?? [];
    const message = describeTakenTime(taken, { first_day, last_day, ...times }, campus);
    if (message) context.addIssue({ code: 'custom', path: ['first_day'], message });
  });
  const form = useContractForm<OfferValues, StartDealBody>({
    schema: (values) =>
      schema.safeParse({
        client_id: createUuid(),
        listing_id: listing.id,
        // Send the price that the page displays even if it is out of date, so that the person never
        // agrees to a price that they have not seen.
        ...(name === 'ask' && { price: listing.price }),
        ...(hasPrice && { price: priceTextToNumber(campus, values.price) }),
        ...(name === 'request' && {
          first_day: values.first_day,
          last_day: values.last_day,
          pickup_time: values.pickup_time || undefined,
          return_time: values.return_time || undefined,
        }),
        ...(values.message_text.trim() && { message_text: values.message_text }),
      }) as never,
    // The form has only the fields that are displayed. Error messages from the server about any other field
    // appear in a toast.
    defaultValues: {
      message_text: '',
      ...(hasPrice && { price: '' }),
      ...(name === 'request' && { first_day: '', last_day: '', pickup_time: '', return_time: '' }),
    },
  });

  const draftName = `${name} ${listing.id}`;
  // The days are not saved as a draft, because they may be taken by the time the form is restored.
  useFormDraft(draftName, form, ['first_day', 'last_day', 'pickup_time', 'return_time']);

  const openConversation = ({ conversation_id: id }: Deal) => {
    removeFormDraft(draftName);
    // The dialog that is open now may be another one.
    if (hasLeft()) return;
    onClose();
    void navigate(links.conversation(id));
  };
  /** Loads the listing again, and returns its price if it is not the one that the form has displayed. */
  const findChangedPrice = async (): Promise<number | undefined> => {
    const { queryKey } = listingQuery(listing.slug);
    await queryClient.invalidateQueries({ queryKey });
    const price = queryClient.getQueryData(queryKey)?.price;
    return price === listing.price ? undefined : price;
  };
  const submit = form.handleSubmit(async ({ client_id: _, ...offer }) => {
    try {
      const deal = await sendWithClientId(`${dialogId} ${JSON.stringify(offer)}`, (client_id) =>
        request(calls.startDeal, { body: { ...offer, client_id } }),
      );
      applyDeal(ownId, deal);
      openConversation(deal);
    } catch (reason) {
      const isPriceRefused = reason instanceof ApiError && reason.fields?.price !== undefined;
      const changedPrice = isPriceRefused ? await findChangedPrice() : undefined;
      if (changedPrice !== undefined && name === 'request') return toast.error('The price has changed');
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      if (changedPrice !== undefined)
        return toast.error(`The price is now ${formatPrice(campus, changedPrice)}`);
      const current = isDealChangedError(reason) && applyDealFromError(ownId, reason);
      if (!current) return toast.error((reason as Error).message);
      toast.message(
        `You already have an open ${current.state === 'offered' ? 'offer' : 'deal'} for this item`,
        hasLeft() ? undefined : 'Here it is.',
      );
      openConversation(current);
    }
  });

  return {
    form,
    hasPrice,
    formProps: { noValidate: true, onSubmit: (event: React.SubmitEvent) => void submit(event) },
  };
};
