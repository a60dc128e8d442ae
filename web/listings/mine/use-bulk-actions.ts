import { calls } from '#contract/calls.ts';
import type { CampusMoney } from '#contract/campus.ts';
import { listingRestoreSeconds, type OwnListing } from '#contract/listings.ts';
import { roundPrice } from '#contract/price-fields.ts';
import { getPriceDecimals } from '#contract/prices.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { toast } from '#web/ui/toast.ts';
import { showHeldForReviewToast } from '../publication-toast.ts';

/** Maximum number of listings that one action changes; with Undo they stay within the server's limit for changes. */
export const maxBulkListings = 50;
const maxConcurrentRequests = 4;
const undoDurationMs = listingRestoreSeconds * 1000;
const minUndoDurationMs = 4000;
/** Maximum number of listings that a message names. */
const maxNamedListings = 3;

/** A price for all listings, or a reduction in percent. */
export type PriceChange = { price: number } | { percent: number };

export type BulkAction = { kind: 'sell' | 'draft' | 'delete' } | { kind: 'price'; change: PriceChange };

/** Returns a changed price. A whole price stays one, and none becomes 0. */
export const applyPriceChange = (price: number, change: PriceChange, money: CampusMoney): number => {
  if ('price' in change) return change.price;
  const reduced = price * (1 - change.percent / 100);
  return Number.isInteger(price)
    ? Math.max(1, Math.round(reduced))
    : Math.max(10 ** -getPriceDecimals(money), roundPrice(money, reduced));
};

const reasons = {
  deal: 'has an offer or a hold',
  rental: 'is for rent',
  free: 'is free',
  noPrice: 'has no price yet',
  noEarlierPrice: 'had no price before',
  unpublished: 'is not for sale',
  draft: 'is a draft',
  sold: 'is sold',
} as const;

/**
 * Returns why a listing is left out of an action on several ones, or undefined if it takes part. What somebody else has a
 * part in is left to the action on the one listing, which names them first.
 */
export const findBulkObstacle = (
  { status, category, price, open_deals: deals, ended_at: endedAt, paused_at: pausedAt }: OwnListing,
  action: BulkAction,
): string | undefined => {
  if (action.kind === 'price') {
    if (status === 'sold') return reasons.sold;
    if (category === 'free') return reasons.free;
    return price === null && 'percent' in action.change ? reasons.noPrice : undefined;
  }
  if (deals > 0) return reasons.deal;
  if (action.kind === 'delete') return undefined;
  if (status === 'sold') return reasons.sold;
  if (action.kind === 'draft') return status === 'draft' ? reasons.draft : undefined;
  if (status !== 'published' && !(endedAt ?? pausedAt)) return reasons.unpublished;
  return category === 'rentals' ? reasons.rental : undefined;
};

/** Returns why an action on a listing cannot be undone: its first price cannot be removed again. */
const findUndoObstacle = ({ price }: OwnListing, { kind }: BulkAction): string | undefined =>
  kind === 'price' && price === null ? reasons.noEarlierPrice : undefined;

const doneTitles = {
  price: (count: number) => (count === 1 ? 'Price changed' : `${count} prices changed`),
  sell: (count: number) => (count === 1 ? 'Marked as sold' : `${count} marked as sold`),
  draft: (count: number) => (count === 1 ? 'Marked as draft' : `${count} marked as draft`),
  delete: (count: number) => (count === 1 ? 'Listing deleted' : `${count} listings deleted`),
} as const satisfies Record<BulkAction['kind'], (count: number) => string>;

const act = ({ id, price }: OwnListing, action: BulkAction, money: CampusMoney): Promise<unknown> => {
  const params = { id };
  switch (action.kind) {
    case 'price':
      return request(calls.changeListingPrice, {
        params,
        body: { price: applyPriceChange(price ?? 0, action.change, money) },
      });
    case 'sell':
      return request(calls.markListingSold, { params, body: {} });
    case 'draft':
      return request(calls.setListingStatus, { params, body: { status: 'draft' } });
    case 'delete':
      return request(calls.deleteListing, { params });
  }
};

const undo = ({ id, price }: OwnListing, { kind }: BulkAction): Promise<OwnListing> => {
  const params = { id };
  switch (kind) {
    case 'price':
      return request(calls.changeListingPrice, { params, body: { price: price ?? 0 } });
    case 'sell':
      return request(calls.relistListing, { params });
    case 'draft':
      return request(calls.setListingStatus, { params, body: { status: 'published' } });
    case 'delete':
      return request(calls.restoreListing, { params });
  }
};

interface Refusal {
  listing: OwnListing;
  reason: string;
}

/** Returns the listings to which an action applies, and why it leaves out the others. */
const divide = (
  listings: readonly OwnListing[],
  findObstacle: (listing: OwnListing) => string | undefined,
): { chosen: OwnListing[]; leftOut: Refusal[] } => {
  const chosen: OwnListing[] = [];
  const leftOut: Refusal[] = [];
  for (const listing of listings) {
    const reason = findObstacle(listing);
    if (reason === undefined) chosen.push(listing);
    else leftOut.push({ listing, reason });
  }
  return { chosen, leftOut };
};

/**
 * Runs a request for each listing, a few at a time. Returns the listings for which it succeeded, its results, and why the
 * others did not.
 */
const runForEach = async <Result>(
  listings: readonly OwnListing[],
  run: (listing: OwnListing) => Promise<Result>,
): Promise<{ done: OwnListing[]; results: Result[]; refused: Refusal[] }> => {
  const done: OwnListing[] = [];
  const results: Result[] = [];
  const refused: Refusal[] = [];
  const waiting = [...listings];
  const work = async (): Promise<void> => {
    for (let listing = waiting.shift(); listing; listing = waiting.shift()) {
      try {
        results.push(await run(listing));
        done.push(listing);
      } catch (error) {
        const reason = error instanceof ApiError ? error.message : 'no response';
        refused.push({ listing, reason });
      }
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentRequests }, work));
  return { done, results, refused };
};

/** Returns a text that says which listings stayed as they were and why, or undefined if there are none. */
export const describeRefusals = (refused: readonly Refusal[]): string | undefined => {
  if (refused.length === 0) return undefined;
  const named = refused
    .slice(0, maxNamedListings)
    .map(({ listing, reason }) => `“${isolateDirection(listing.title || 'Untitled draft')}” (${reason})`);
  const more = refused.length - named.length;
  return `Not changed: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

export interface UseBulkActionsOptions {
  money: CampusMoney;
  /** Loads the person's listings again, and returns them. */
  reload: () => Promise<readonly OwnListing[]>;
  /** Loads all lists of the person's own listings again. */
  refreshLists: () => Promise<void>;
}

/**
 * Returns a function that changes several listings, says which ones it could not change, and offers Undo for the others.
 */
export const useBulkActions =
  ({ money, reload, refreshLists }: UseBulkActionsOptions) =>
  async (ids: ReadonlySet<string>, action: BulkAction): Promise<void> => {
    // The displayed numbers of deals may be out of date.
    const listings = (await reload()).filter(({ id }) => ids.has(id));
    const { chosen, leftOut } = divide(listings, (listing) => findBulkObstacle(listing, action));
    const startedAt = Date.now();
    const { done, refused } = await runForEach(chosen, (listing) => act(listing, action, money));
    await refreshLists();
    const description = describeRefusals([...leftOut, ...refused]);
    if (done.length === 0) {
      toast.error('Nothing was changed', description);
      return;
    }
    const undoable = divide(done, (listing) => findUndoObstacle(listing, action));
    const undoAll = async (): Promise<void> => {
      const undone = await runForEach(undoable.chosen, (listing) => undo(listing, action));
      await refreshLists();
      const left = describeRefusals([...undoable.leftOut, ...undone.refused]);
      if (left) toast.error('Not everything was undone', left);
      // The server may check a draft again before it publishes it.
      else if (action.kind === 'draft' && undone.results.some(({ status }) => status === 'in_review'))
        showHeldForReviewToast();
      else toast.success('Undone');
    };
    toast.success(
      doneTitles[action.kind](done.length),
      description,
      undoable.chosen.length === 0
        ? undefined
        : {
            label: 'Undo',
            // The server restores a listing only for a short time after it was deleted.
            durationMs: Math.max(minUndoDurationMs, undoDurationMs - (Date.now() - startedAt)),
            onSelect: () => void undoAll(),
          },
    );
  };
