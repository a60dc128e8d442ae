import type { Campus } from '#contract/campus.ts';
import { type Condition, getCategoryLabel } from '#contract/categories.ts';
import type { Listing } from '#contract/listings.ts';
import { buildPhotoCopyUrl } from '#contract/photos.ts';
import { getPriceDecimals } from '#contract/prices.ts';
import { links } from '#web/lib/links.ts';

const schemaOrgConditions: Record<Condition, string> = {
  new: 'NewCondition',
  'like-new': 'UsedCondition',
  good: 'UsedCondition',
  fair: 'UsedCondition',
};

/**
 * Returns a listing's structured data: a schema.org Product with its Offer. `fields` is what it says about the fields of the
 * listing's category.
 */
export const toListingStructuredData = (
  listing: Listing,
  fields: Record<string, unknown> | undefined,
  campus: Campus,
  publicUrl: string,
) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: listing.title,
  description: listing.description,
  category: getCategoryLabel(listing.category, campus.mascot),
  image: listing.images.map((photo) => `${publicUrl}${buildPhotoCopyUrl(photo.url, 1024, 'jpeg')}`),
  offers: {
    '@type': 'Offer',
    url: `${publicUrl}${links.listing(listing.slug)}`,
    price: listing.price.toFixed(getPriceDecimals(campus)),
    priceCurrency: campus.currency,
    itemCondition: `https://schema.org/${schemaOrgConditions[listing.condition]}`,
    availability: 'https://schema.org/InStock',
    seller: { '@type': 'Person', name: listing.seller.name },
  },
  ...fields,
});
