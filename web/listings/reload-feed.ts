import { flushSync } from 'react-dom';
import type { ListingPage, ListingQuery } from '#contract/listing-queries.ts';
import { maxListingPageSize } from '#contract/paging.ts';
import { fetchListingsPage } from './fetch-listings-page.ts';

// This module is loaded lazily, when a feed of listings is restored after Back, Forward or reload. It
// replaces the restored listings with their current state, because some may no longer exist.

/**
 * Loads as many listings as were shown, in as few requests as possible. `first` is the newly loaded first
 * page.
 */
const reloadPages = async (
  first: ListingPage,
  query: Partial<ListingQuery>,
  count: number,
): Promise<ListingPage[]> => {
  const pages = [first];
  let missing = count - first.items.length;
  for (let cursor = first.next_cursor; cursor && missing > 0; cursor = pages.at(-1)?.next_cursor ?? null) {
    const page = await fetchListingsPage({ ...query, cursor, limit: Math.min(missing, maxListingPageSize) });
    pages.push(page);
    missing -= page.items.length;
  }
  return pages;
};

/**
 * Applies an update. Then scrolls so that the first visible card that still exists stays where it was on
 * the screen.
 */
const updateFeedInPlace = (feed: HTMLElement, update: () => void): void => {
  const listLinks = () => [...feed.querySelectorAll<HTMLAnchorElement>('h3 a')];
  const tops = new Map(listLinks().map((link) => [link.href, link.getBoundingClientRect().top]));
  flushSync(update);
  const anchor = listLinks().find(({ href }) => (tops.get(href) ?? -1) >= 0);
  if (!anchor) return;
  const shift = anchor.getBoundingClientRect().top - (tops.get(anchor.href) ?? 0);
  window.scrollBy({ top: shift, behavior: 'instant' });
};

export interface FeedReloadOptions {
  element: HTMLElement | null;
  first: ListingPage;
  query: Partial<ListingQuery>;
  count: number;
  show: (pages: readonly ListingPage[]) => void;
}

/**
 * Replaces the listings of a restored feed with their current state, without moving the listings
 * that the person is looking at. Returns the new pages.
 */
export const reloadListingFeed = async ({
  element,
  first,
  query,
  count,
  show,
}: FeedReloadOptions): Promise<readonly ListingPage[]> => {
  const pages = await reloadPages(first, query, count);
  if (element?.isConnected) updateFeedInPlace(element, () => show(pages));
  return pages;
};
