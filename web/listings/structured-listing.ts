import type { Campus } from '#contract/campus.ts';
import { type Condition, categoryLabel } from '#contract/categories.ts';
import type { Listing } from '#contract/listings.ts';
import { photoCopyUrl } from '#contract/photos.ts';
import { links } from '#web/lib/links.ts';

const conditionTypes: Record<Condition, string> = {
  new: 'NewCondition',
  'like-new': 'UsedCondition',
  good: 'UsedCondition',
  fair: 'UsedCondition',
};

/** Returns a listing's structured data: a schema.org Product with its Offer. */
export const toStructuredListing = (listing: Listing, campus: Campus, publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: listing.title,
  description: listing.description,
  category: categoryLabel(listing.category, campus.mascot),
  image: listing.images.map((photo) => `${publicUrl}${photoCopyUrl(photo.url, 1024, 'jpeg')}`),
  offers: {
    '@type': 'Offer',
    url: `${publicUrl}${links.listing(listing.slug)}`,
    price: listing.price.toFixed(2),
    priceCurrency: 'USD',
    itemCondition: `https://schema.org/${conditionTypes[listing.condition]}`,
    availability: 'https://schema.org/InStock',
    seller: { '@type': 'Person', name: listing.seller.name },
  },
});
