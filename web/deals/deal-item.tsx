import type { Deal } from '#contract/deals.ts';
import { Price } from '#web/ui/price.tsx';

/** The item of a deal and its price. */
export function DealItem({ deal }: { deal: Deal }) {
  return (
    <span className="flex items-baseline justify-between gap-3">
      <bdi className="min-w-0 break-words">{deal.title}</bdi>
      {deal.price !== null && <Price amount={deal.price} />}
    </span>
  );
}
