import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Campus } from '#contract/campus.ts';
import { getCategoryLabel } from '#contract/categories.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import { isGone } from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { SectionHeading } from '#web/ui/section-heading.tsx';
import { BackButton } from './back-button.tsx';
import type { CategoryFacts } from './category-facts.ts';
import { ContactLinks } from './contact-links.tsx';
import { FavoriteHeart } from './favorite-heart.tsx';
import { Gallery } from './gallery.tsx';
import { ListingFacts } from './listing-facts.tsx';
import { ListingGrid } from './listing-grid.tsx';
import { ListingHeading } from './listing-heading.tsx';
import { SellerCard } from './seller-card.tsx';
import { ShareButton } from './share-button.tsx';

// The tips are below the actions, so their script is not part of the page.
const SafetyTips = lazyComponent(async () => (await import('./safety-tips.tsx')).SafetyTips, {
  placeholder: () => <div className="h-44" />,
});

// Only textbooks have this part, which is below the fold.
const BookPanel = lazyComponent(async () => (await import('./book-panel.tsx')).BookPanel, {
  failed: () => null,
});

export interface ListingDetailProps {
  listing: Listing;
  similar: readonly ListingCard[];
  /** The fields of the listing's category. */
  facts: CategoryFacts['shown'] | undefined;
  /** The `tel:` address of the phone number. */
  phoneUrl: string | undefined;
  campus: Campus;
  /** The URL to share, with its host. */
  url: string;
  /** The primary action, such as Message Seller. On phones, it is pinned to the bottom of the window. */
  action: ReactNode;
  /** A way to report a listing that breaks the rules, or nothing when the owner views the page. */
  report: ReactNode;
}

/**
 * The content of a listing's page. On wide screens, photos and description are in the left column and
 * everything else is in the right one. On phones, the seller follows the price, and the description comes
 * before the contact details.
 */
export function ListingDetail(props: ListingDetailProps) {
  const { listing, similar, facts, phoneUrl, campus, url, action, report } = props;
  return (
    <>
      {/* On phones, the photo is at the top of the screen, with these buttons on it. They stay there while it scrolls. */}
      <div className="flex gap-2 max-md:sticky max-md:top-[calc(0.5rem+var(--offline-bar,0rem))] max-md:z-20 max-md:-mx-2 max-md:-mt-6 max-md:h-0 md:-mt-4 md:mb-2 md:items-center">
        <BackButton to={links.category(listing.category)} />
        <Link
          to={links.category(listing.category)}
          className="mr-auto inline-flex max-md:hidden min-h-11 items-center gap-2 font-semibold text-ink-muted text-sm hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {getCategoryLabel(listing.category, campus.mascot)}
        </Link>
        <FavoriteHeart listing={listing} />
        <ShareButton title={listing.title} url={url} />
      </div>
      <article className="grid gap-x-7 gap-y-5 md:gap-y-8 md:grid-cols-[minmax(0,1fr)_19rem] md:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_23rem] lg:gap-x-10">
        <div className="min-w-0 max-md:-mt-2">
          <Gallery listing={listing} />
        </div>
        <div className="contents min-w-0 md:row-span-2 md:block md:space-y-8">
          <div className="flex min-w-0 flex-col gap-4 md:gap-6">
            <ListingHeading listing={listing} />
            <div className="max-md:order-1">
              <ListingFacts listing={listing} facts={facts} campus={campus} />
            </div>
            {action}
            <SellerCard listing={listing} campus={campus} />
          </div>
          <div className="order-1 min-w-0 space-y-6">
            <ContactLinks email={listing.contact_email} phone={listing.contact_phone} phoneUrl={phoneUrl} />
            {!isGone(listing) && <SafetyTips />}
            {report}
          </div>
        </div>
        <section aria-labelledby="description" className="min-w-0">
          <h2 id="description" className="font-bold text-lg">
            Description
          </h2>
          <p dir="auto" className="mt-2 max-w-prose whitespace-pre-line break-words">
            {listing.description}
          </p>
        </section>
      </article>
      {(listing.isbn || listing.course) && <BookPanel slug={listing.slug} />}
      {similar.length > 0 && (
        <section aria-labelledby="similar" className="mt-12 md:mt-16">
          <SectionHeading id="similar">Similar Items</SectionHeading>
          <ListingGrid listings={similar} stagger={0.1} even />
        </section>
      )}
    </>
  );
}
