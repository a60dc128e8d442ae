import { useState } from 'react';
import { Alert } from '#web/ui/alert.tsx';

/** The label of the button that sends an offer about which the person has been asked. */
export const sendAnywayLabel = 'Send anyway';

/**
 * Asks once before a price above the listing's price is sent. `limit` is that price, or undefined when any price is
 * sent without a question.
 */
export const useAbovePriceQuestion = (price: number, limit: number | null | undefined) => {
  const [askedPrice, setAskedPrice] = useState<number>();
  const isAbovePrice = typeof limit === 'number' && price > limit;
  const isAsked = isAbovePrice && askedPrice === price;
  return {
    isAsked,
    /** Returns the form's submit handler, which asks first if needed. */
    askBefore: (submit: (event: React.SubmitEvent) => void) => (event: React.SubmitEvent) => {
      if (!isAbovePrice || isAsked) return submit(event);
      event.preventDefault();
      setAskedPrice(price);
    },
  };
};

export const AbovePriceQuestion = () => <Alert tone="notice">That’s more than the price. Send anyway?</Alert>;
