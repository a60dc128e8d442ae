import { formatPrice } from '#contract/prices.ts';
import { Button } from '#web/ui/button.tsx';
import type { SuggestedOffer } from './suggested-offers.ts';

export interface OfferPriceChipsProps {
  offers: readonly SuggestedOffer[];
  /** The price that is typed now. */
  chosen: number;
  onChoose: (price: number) => void;
}

/** Buttons that fill in a usual offer. Nothing without offers. */
export function OfferPriceChips({ offers, chosen, onChoose }: OfferPriceChipsProps) {
  if (offers.length === 0) return null;
  return (
    <ul aria-label="Usual offers" className="-mt-3 flex flex-wrap gap-2">
      {offers.map(({ price: offered, discount }) => (
        <li key={offered}>
          <Button
            type="button"
            size="sm"
            variant="secondary"
            aria-pressed={offered === chosen}
            className="figures rounded-full! aria-pressed:border-brand-text aria-pressed:bg-brand-soft"
            onClick={() => onChoose(offered)}
          >
            {discount === 0 ? formatPrice(offered) : `${formatPrice(offered)} (−${discount} %)`}
          </Button>
        </li>
      ))}
    </ul>
  );
}
