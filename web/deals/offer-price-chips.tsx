import { formatPercent } from '#contract/number-format.ts';
import { formatPrice } from '#contract/prices.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Chip } from '#web/ui/chip.tsx';
import type { SuggestedOffer } from './suggested-offers.ts';

export interface OfferPriceChipsProps {
  offers: readonly SuggestedOffer[];
  /** The price that is typed now. */
  chosen: number;
  onChoose: (price: number) => void;
}

/** Buttons that fill in a usual offer. Nothing without offers. */
export function OfferPriceChips({ offers, chosen, onChoose }: OfferPriceChipsProps) {
  const campus = useCampus();
  if (offers.length === 0) return null;
  return (
    <ul aria-label="Usual offers" className="-mt-3 flex flex-wrap gap-2">
      {offers.map(({ price: offered, discount }) => (
        <li key={offered}>
          <Chip pressed={offered === chosen} onClick={() => onChoose(offered)}>
            {discount === 0
              ? formatPrice(campus, offered)
              : `${formatPrice(campus, offered)} (−${formatPercent(campus, discount)})`}
          </Chip>
        </li>
      ))}
    </ul>
  );
}
