import type { Listing } from '#contract/listings.ts';
import { buildPhotoCopyUrl } from '#contract/photos.ts';
import { formatPrice, getPriceDecimals } from '#contract/prices.ts';
import {
  getListingPriceUnit,
  getSaleOutcome,
  saleOutcomeLabels,
  unavailableLabels,
} from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { createPageMeta, toExcerpt } from '#web/lib/page-meta.ts';
import type { SiteData } from '#web/lib/use-campus.ts';
import { toListingStructuredData } from '#web/listings/public.ts';

/** Returns the tags of the head of a listing's page. `fields` are the structured data of its category's fields. */
export const createListingMeta = (
  site: SiteData,
  listing: Listing,
  fields: Record<string, unknown> | undefined,
) => {
  const [cover] = listing.images;
  const { unavailable } = listing;
  const isListed = listing.status !== 'sold' && !unavailable;
  const price = unavailable
    ? unavailableLabels[unavailable]
    : !isListed
      ? saleOutcomeLabels[getSaleOutcome(listing.category)]
      : `${formatPrice(site.campus, listing.price)}${getListingPriceUnit(listing) ?? ''}`;
  return [
    ...createPageMeta(site, {
      title: `${listing.title}, ${price}`,
      description: toExcerpt(`${price}. ${listing.description}`),
      path: links.listing(listing.slug),
      image: cover && { path: buildPhotoCopyUrl(cover.url, 1024, 'jpeg'), alt: listing.title },
      type: 'product',
      ...(isListed
        ? { structured: toListingStructuredData(listing, fields, site.campus, site.publicUrl) }
        : { unlisted: true }),
    }),
    ...(isListed
      ? [
          { property: 'product:price:amount', content: listing.price.toFixed(getPriceDecimals(site.campus)) },
          { property: 'product:price:currency', content: site.campus.currency },
        ]
      : []),
  ];
};
