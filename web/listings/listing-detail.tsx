import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Campus } from '#contract/campus.ts';
import { categoryLabel } from '#contract/categories.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { SectionHeading } from '#web/ui/section-heading.tsx';
import { ContactLinks } from './contact-links.tsx';
import { Gallery } from './gallery.tsx';
import { ListingFacts } from './listing-facts.tsx';
import { ListingGrid } from './listing-grid.tsx';
import { SafetyTips } from './safety-tips.tsx';
import { SellerCard } from './seller-card.tsx';

export interface ListingDetailProps {
  listing: Listing;
  similar: readonly ListingCard[];
  campus: Campus;
  /** Actions such as Message Seller and Report Listing. */
  actions: ReactNode;
}

/**
 * Everything about a listing. On wide screens photos and description are on the left and the rest on the right; on a
 * phone the description comes before the seller.
 */
export function ListingDetail({ listing, similar, campus, actions }: ListingDetailProps) {
  return (
    <>
      <Link
        to={links.category(listing.category)}
        className="-mt-4 mb-2 inline-flex min-h-11 items-center gap-2 font-semibold text-ink-muted text-sm hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {categoryLabel(listing.category, campus.mascot)}
      </Link>
      <article className="grid gap-x-7 gap-y-8 md:grid-cols-[minmax(0,1fr)_19rem] md:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_23rem] lg:gap-x-10">
        <div className="min-w-0">
          <Gallery key={listing.id} photos={listing.images} title={listing.title} />
        </div>
        <div className="contents min-w-0 md:row-span-2 md:block md:space-y-8">
          <div className="min-w-0 space-y-6">
            <ListingFacts listing={listing} campus={campus} />
            {actions}
            <ContactLinks email={listing.contact_email} phone={listing.contact_phone} />
          </div>
          <div className="order-1 min-w-0 space-y-6">
            <SellerCard listing={listing} campus={campus} />
            <SafetyTips />
          </div>
        </div>
        <section aria-labelledby="description" className="min-w-0">
          <h2 id="description" className="font-bold text-lg">
            Description
          </h2>
          <p className="mt-2 max-w-prose whitespace-pre-line break-words">{listing.description}</p>
        </section>
      </article>
      {similar.length > 0 && (
        <section aria-labelledby="similar" className="mt-12 md:mt-16">
          <SectionHeading id="similar">Similar Items</SectionHeading>
          <ListingGrid listings={similar} stagger={0.1} even />
        </section>
      )}
    </>
  );
}
