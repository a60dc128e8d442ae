import { clsx } from 'clsx';
import { EllipsisVertical, MapPin, Pencil, Trash2, Undo2 } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { type ListingStatus, type OwnListing, takenDownSentence } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { photoSources } from '#web/lib/photo-sources.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { Price } from '#web/ui/price.tsx';

export interface OwnListingCardProps {
  listing: OwnListing;
  onStatus: (status: ListingStatus) => void;
  onDelete: () => void;
}

/** The width of the photo: two to four columns, less gutters and gaps, and a small one in the rows of phones. */
const photoSizes =
  '(min-width: 80rem) 18rem, (min-width: 64rem) calc(33.3vw - 2.25rem), (min-width: 48rem) calc(50vw - 2rem), 3.5rem';

/** The person's own listing with its actions: a compact row on phones, a card on wider screens. Drafts are gray. */
export function OwnListingCard({ listing, onStatus, onDelete }: OwnListingCardProps) {
  const active = listing.status === 'published';
  const hidden = listing.hidden_reason !== null;
  const title = listing.title || 'Untitled draft';
  const actions = { listing, title, onDelete, onStatus: () => onStatus(active ? 'draft' : 'published') };
  return (
    <Card className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-center gap-x-2.5 p-2 max-md:rounded-none max-md:border-0 max-md:shadow-none md:flex md:h-full md:flex-col md:items-stretch md:p-0">
      <Photo
        {...photoSources(listing.images[0])}
        sizes={photoSizes}
        alt=""
        className={clsx('max-md:rounded-md', !active && 'opacity-60 grayscale')}
      />
      <div className="flex min-w-0 flex-col gap-x-1 md:gap-1 md:p-4 md:pb-0">
        <h2
          className={clsx(
            'line-clamp-2 break-words font-bold max-md:text-wrap max-md:text-sm max-md:leading-snug md:text-lg',
            !active && 'text-ink-muted',
          )}
        >
          {active ? (
            <Link to={links.listing(listing.slug)} className="hover:underline">
              {title}
            </Link>
          ) : (
            title
          )}
        </h2>
        <p className={clsx('flex flex-wrap items-center gap-x-2 md:text-xl', !active && 'text-ink-muted')}>
          {listing.price === null ? (
            <span className="text-ink-muted text-sm md:text-base">No price yet</span>
          ) : (
            <Price amount={listing.price} />
          )}
          <Badge
            tone={hidden ? 'brand' : active ? 'positive' : 'neutral'}
            className="md:absolute md:top-3 md:left-3 md:shadow-sm"
          >
            {hidden ? 'Taken down' : active ? 'Active' : 'Draft'}
          </Badge>
        </p>
        {listing.location && (
          <p className="flex items-center gap-1.5 text-ink-muted text-sm max-md:hidden">
            <MapPin aria-hidden="true" className="size-4 shrink-0" />
            <span className="truncate">{listing.location}</span>
          </p>
        )}
      </div>
      {listing.hidden_reason !== null && (
        <p className="order-last col-span-3 mt-1 break-words text-sm md:order-none md:px-4">
          {takenDownSentence(listing.hidden_reason)}
        </p>
      )}
      <RowActions {...actions} />
      <CardActions {...actions} />
    </Card>
  );
}

interface ActionsProps {
  listing: OwnListing;
  title: string;
  /** Publishes a draft, or makes a published listing a draft. */
  onStatus: () => void;
  onDelete: () => void;
}

/** The actions on phones: one button, and a menu with the others. */
function RowActions({ listing, title, onStatus, onDelete }: ActionsProps) {
  const active = listing.status === 'published';
  const publishable = !active && listing.hidden_reason === null;
  const edit = links.editListing(listing.id);
  const menu = useRef<HTMLButtonElement>(null);
  return (
    <div className="-mr-2 flex items-center md:hidden">
      {publishable ? (
        <Button size="sm" className="px-3!" onClick={onStatus}>
          <span>
            Publish<span className="sr-only"> Item {title}</span>
          </span>
        </Button>
      ) : (
        <Button variant="secondary" size="sm" className="px-3!" asChild>
          <Link to={edit}>
            Edit<span className="sr-only"> {title}</span>
          </Link>
        </Button>
      )}
      <DropdownMenu
        trigger={
          <IconButton ref={menu} label={`More actions for ${title}`}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
      >
        {publishable && (
          <MenuItem asChild>
            <Link to={edit}>
              <Pencil aria-hidden="true" />
              Edit
            </Link>
          </MenuItem>
        )}
        {active && listing.hidden_reason === null && (
          <MenuItem icon={<Undo2 aria-hidden="true" />} onSelect={onStatus}>
            Mark as Draft
          </MenuItem>
        )}
        <MenuItem
          icon={<Trash2 aria-hidden="true" />}
          onSelect={() => {
            // The dialog returns the focus to the last focused element, but the menu item is gone by then.
            menu.current?.focus();
            onDelete();
          }}
        >
          Delete
        </MenuItem>
      </DropdownMenu>
    </div>
  );
}

/** The actions on wider screens: one button each, with Delete the least prominent. */
function CardActions({ listing, title, onStatus, onDelete }: ActionsProps) {
  const active = listing.status === 'published';
  return (
    <div className="mt-auto grid grid-cols-2 gap-2 p-4 max-md:hidden">
      <Button variant="secondary" size="sm" asChild>
        <Link to={links.editListing(listing.id)}>
          <Pencil aria-hidden="true" className="size-4" />
          Edit<span className="sr-only"> {title}</span>
        </Link>
      </Button>
      <Button
        variant="ghost"
        size="sm"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={onDelete}
      >
        Delete<span className="sr-only"> {title}</span>
      </Button>
      {listing.hidden_reason === null && (
        <Button
          variant={active ? 'secondary' : 'primary'}
          size="sm"
          className="col-span-2"
          onClick={onStatus}
        >
          {active ? 'Mark as Draft' : 'Publish Item'}
          <span className="sr-only"> {title}</span>
        </Button>
      )}
    </div>
  );
}
