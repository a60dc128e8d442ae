import { HandCoins, type LucideIcon, Tag, Trash2, Undo2, X } from 'lucide-react';
import type { OwnListingTab } from '#contract/listing-queries.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

export interface BulkBarProps {
  /** Number of selected listings. */
  count: number;
  /** The tab that contains the listings. */
  tab: OwnListingTab;
  onPrice: () => void;
  onAction: (kind: 'sell' | 'draft' | 'delete') => void;
  onClose: () => void;
}

/** The actions on the selected listings, at the bottom of the window. */
export function BulkBar({ count, tab, onPrice, onAction, onClose }: BulkBarProps) {
  return (
    <section
      aria-label="Selected listings"
      data-pinned
      className="above-bottom-bar sticky z-30 mt-4 rounded-lg border border-line bg-raised px-2 pt-2 shadow-lg md:mx-auto md:max-w-xl"
    >
      <div className="flex items-center justify-between pl-2">
        <p role="status" className="font-semibold text-sm">{`${count} selected`}</p>
        <IconButton label="Clear selection" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <div className="flex *:flex-1">
        {tab !== 'sold' && <BulkButton icon={Tag} label="Price" onClick={onPrice} />}
        {tab === 'active' && <BulkButton icon={HandCoins} label="Sold" onClick={() => onAction('sell')} />}
        {tab === 'active' && <BulkButton icon={Undo2} label="Draft" onClick={() => onAction('draft')} />}
        <BulkButton icon={Trash2} label="Delete" onClick={() => onAction('delete')} />
      </div>
    </section>
  );
}

function BulkButton({
  icon: Icon,
  label,
  onClick,
}: {
  icon: LucideIcon;
  label: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="flex min-h-13 flex-col items-center justify-center gap-1 rounded-md font-semibold text-xs -outline-offset-3 transition-colors hover:bg-hover"
      onClick={onClick}
    >
      <Icon aria-hidden="true" className="size-5" />
      <span>{label}</span>
    </button>
  );
}
