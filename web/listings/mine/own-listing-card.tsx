import { clsx } from 'clsx';
import { MapPin, Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { type ListingStatus, type OwnListing, takenDownSentence } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { photoSources } from '#web/lib/photo-sources.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { Price } from '#web/ui/price.tsx';

export interface OwnListingCardProps {
  listing: OwnListing;
  onStatus: (status: ListingStatus) => void;
  onDelete: () => void;
}

/** The width of the photo: one to four columns, less gutters and gaps. */
const photoSizes =
  '(min-width: 80rem) 18rem, (min-width: 64rem) calc(33.3vw - 2.25rem), (min-width: 40rem) calc(50vw - 2rem), calc(100vw - 2.125rem)';

/** A card of the person's own listing with its actions. Drafts are gray. */
export function OwnListingCard({ listing, onStatus, onDelete }: OwnListingCardProps) {
  const active = listing.status === 'published';
  const hidden = listing.hidden_reason !== null;
  const title = listing.title || 'Untitled draft';
  return (
    <Card className="flex h-full flex-col">
      <div className={clsx('relative', !active && 'opacity-60 grayscale')}>
        <Photo {...photoSources(listing.images[0])} sizes={photoSizes} alt="" />
      </div>
      <Badge
        tone={hidden ? 'brand' : active ? 'positive' : 'neutral'}
        className="absolute top-3 left-3 shadow-sm"
      >
        {hidden ? 'Taken down' : active ? 'Active' : 'Draft'}
      </Badge>
      <div className="flex flex-1 flex-col gap-1 p-4">
        <h2 className={clsx('line-clamp-2 break-words font-bold text-lg', !active && 'text-ink-muted')}>
          {active ? (
            <Link to={links.listing(listing.slug)} className="hover:underline">
              {title}
            </Link>
          ) : (
            title
          )}
        </h2>
        <p className={clsx('text-xl', !active && 'text-ink-muted')}>
          {listing.price === null ? (
            <span className="text-base text-ink-muted">No price yet</span>
          ) : (
            <Price amount={listing.price} />
          )}
        </p>
        {listing.location && (
          <p className="flex items-center gap-1.5 text-ink-muted text-sm">
            <MapPin aria-hidden="true" className="size-4 shrink-0" />
            <span className="truncate">{listing.location}</span>
          </p>
        )}
        {listing.hidden_reason !== null && (
          <p className="mt-1 break-words text-sm">{takenDownSentence(listing.hidden_reason)}</p>
        )}
        <div className="mt-auto grid grid-cols-2 gap-2 pt-4">
          <Button variant="secondary" size="sm" asChild>
            <Link to={links.editListing(listing.id)}>
              <Pencil aria-hidden="true" className="size-4" />
              Edit<span className="sr-only"> {title}</span>
            </Link>
          </Button>
          <Button
            variant="danger"
            size="sm"
            icon={<Trash2 aria-hidden="true" className="size-4" />}
            onClick={onDelete}
          >
            Delete<span className="sr-only"> {title}</span>
          </Button>
          {!hidden && (
            <Button
              variant={active ? 'secondary' : 'primary'}
              size="sm"
              className="col-span-2"
              onClick={() => onStatus(active ? 'draft' : 'published')}
            >
              {active ? 'Mark as Draft' : 'Publish Item'}
              <span className="sr-only"> {title}</span>
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
