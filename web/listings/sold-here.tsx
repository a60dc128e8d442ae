import { useQuery } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { CampusMoney } from '#contract/campus.ts';
import { isCategory } from '#contract/categories.ts';
import { formatAmountRange } from '#contract/price-fields.ts';
import { listSalePriceKeys, type SalePriceQuery } from '#contract/sale-prices.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { usePaused } from '#web/lib/use-paused.ts';

/** How long the title must stay unchanged before the prices are asked for, in milliseconds. */
const pauseMs = 500;

export interface SoldHereProps {
  money: CampusMoney;
  category: string;
  title: string;
  isbn?: string | null | undefined;
}

/** Says what similar things sold for. Shows nothing if too few did. */
export function SoldHere({ money, category, title, isbn }: SoldHereProps) {
  const paused = usePaused(JSON.stringify({ category, title, isbn: isbn || undefined }), pauseMs);
  const query = JSON.parse(paused) as SalePriceQuery;
  const { data } = useQuery(
    {
      queryKey: ['sold-here', paused],
      queryFn: ({ signal }) => request(calls.findSalePrices, { query, signal }),
      enabled: isCategory(query.category) && listSalePriceKeys(query).length > 0,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    queryClient,
  );
  const range = data?.range;
  return range ? <span>{`Sold here for ${formatAmountRange(money, range.low, range.high)}`}</span> : null;
}
