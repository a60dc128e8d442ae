import { listSalePriceKeys, type SalePriceQuery, type SalePrices } from '#contract/sale-prices.ts';
import type { App } from '#server/app.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { type CompletedDeal, type StoredRange, salePeriodSeconds, updatePriceRange } from './price-range.ts';
import * as repository from './repository.ts';

/** Returns what similar things sold for here. */
export const findSalePrices = async ({ sql }: App, query: SalePriceQuery): Promise<SalePrices> => {
  const range = await repository.findRange(sql, listSalePriceKeys(query));
  return { range: range ? { low: range.low, high: range.high } : null };
};

/** Computes the ranges of all things of which enough were sold. */
export const computeSalePrices = ({ sql, clock }: App): Promise<void> =>
  runInTransaction(sql, async (tx) => {
    const now = clock.now();
    await repository.lockRanges(tx);
    const dealsByKey = new Map<string, CompletedDeal[]>();
    for await (const sale of repository.iterateSales(tx, addSeconds(now, -2 * salePeriodSeconds))) {
      const deal = {
        sellerId: sale.seller_id,
        buyerId: sale.buyer_id,
        price: sale.price,
        completedAt: sale.completed_at,
      };
      // Each deal counts for one range: the difference between two ranges that share deals could tell the price of another.
      const [key] = listSalePriceKeys(sale);
      if (key !== undefined) dealsByKey.getOrInsert(key, []).push(deal);
    }
    const stored = new Map<string, StoredRange>(
      (await repository.listRanges(tx)).map(({ key, low, high, deals_until, is_shown }) => [
        key,
        { low, high, dealsUntil: deals_until, isShown: is_shown },
      ]),
    );
    const keys = new Set([...dealsByKey.keys(), ...stored.keys()]);
    const rows = [...keys].flatMap((key) => {
      const range = updatePriceRange(dealsByKey.get(key) ?? [], stored.get(key), now);
      if (!range) return [];
      const { low, high, dealsUntil, isShown } = range;
      return [{ key, low, high, deals_until: dealsUntil, is_shown: isShown }];
    });
    await repository.replaceRanges(tx, rows);
  });
