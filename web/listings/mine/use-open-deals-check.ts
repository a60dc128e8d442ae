import { useState } from 'react';
import type { OwnListing } from '#contract/listings.ts';
import { fetchHasOpenDeals } from '#web/deals/public.ts';

/**
 * Returns a function that asks the server whether one of the person's own listings has open deals, because the loaded
 * list may be outdated. It returns undefined while an earlier check of this listing is in progress. If the server does
 * not respond, it returns what the list says. `checkedIds` are the ids of the listings that are being checked.
 */
export const useOpenDealsCheck = (ownId: string) => {
  const [checkedIds, setCheckedIds] = useState<readonly string[]>([]);
  const hasOpenDeals = async ({ id, open_deals: count }: OwnListing): Promise<boolean | undefined> => {
    if (checkedIds.includes(id)) return undefined;
    setCheckedIds((ids) => [...ids, id]);
    const hasDeals = await fetchHasOpenDeals(ownId, id);
    setCheckedIds((ids) => ids.filter((it) => it !== id));
    return hasDeals ?? count > 0;
  };
  return { checkedIds, hasOpenDeals };
};
