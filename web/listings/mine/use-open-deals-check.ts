import { useState } from 'react';
import type { OwnListing } from '#contract/listings.ts';
import { dealQueueQuery } from '#web/deals/public.ts';
import { queryClient } from '#web/lib/query-client.ts';

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
    const queue = await queryClient
      .fetchQuery({ ...dealQueueQuery(ownId, id), staleTime: 0 })
      .catch(() => undefined);
    setCheckedIds((ids) => ids.filter((it) => it !== id));
    return (queue?.items.length ?? count) > 0;
  };
  return { checkedIds, hasOpenDeals };
};
