import { Bell, BellOff, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { maxExactNewMatchCount } from '#contract/paging.ts';
import { getSavedSearchPath, type SavedSearchWithNewCount } from '#contract/saved-searches.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { searchAlertLabels } from './alert-labels.ts';
import { describeFilters } from './saved-search-query.ts';

export interface SavedSearchItemProps {
  search: SavedSearchWithNewCount;
  onEdit: () => void;
  onDelete: () => Promise<void>;
}

/** A saved search that links to its results, with its filters, alert and number of new matches. */
export function SavedSearchItem({ search, onEdit, onDelete }: SavedSearchItemProps) {
  const campus = useCampus();
  const [isDeleting, setIsDeleting] = useState(false);
  const { name, query, alert, new_count } = search;
  const criteria = [query.q && `“${isolateDirection(query.q)}”`, ...describeFilters(query, campus)]
    .filter(Boolean)
    .join(' · ');
  const AlertIcon = alert === 'off' ? BellOff : Bell;

  const remove = async (): Promise<void> => {
    setIsDeleting(true);
    await onDelete();
    setIsDeleting(false);
  };

  return (
    <Card interactive className="flex items-start gap-2 p-4 pr-2">
      <div className="grid min-w-0 flex-1 gap-1">
        <h2 className="wrap-anywhere flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold text-lg leading-snug">
          <Link to={getSavedSearchPath(query)} className="outline-none after:absolute after:inset-0">
            <bdi>{name}</bdi>
          </Link>
          {new_count > 0 && (
            <Badge tone="brand">{`${formatCount(new_count, campus, maxExactNewMatchCount - 1)} new`}</Badge>
          )}
        </h2>
        <p className="wrap-anywhere line-clamp-2 text-ink-muted text-sm">{criteria || 'Everything'}</p>
        <p className="flex items-center gap-1.5 text-ink-muted text-sm">
          <AlertIcon aria-hidden="true" className="size-4 shrink-0" />
          <span className="sr-only">Tell me about new listings: </span>
          {searchAlertLabels[alert]}
        </p>
      </div>
      <div className="relative z-10 flex shrink-0">
        <IconButton label={`Edit: ${name}`} onClick={onEdit}>
          <Pencil aria-hidden="true" />
        </IconButton>
        <IconButton label={`Delete: ${name}`} disabled={isDeleting} onClick={() => void remove()}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
    </Card>
  );
}
