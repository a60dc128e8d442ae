import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from './card.tsx';
import { fromParent } from './parent-link.tsx';

/** The look of a row of a `LinkList`, for a button that belongs to it. */
export const linkListRowClasses =
  'flex min-h-13 w-full items-center gap-4 px-4 py-2 text-left font-semibold -outline-offset-3 transition-colors hover:bg-hover [&>svg:first-child]:size-5 [&>svg:first-child]:shrink-0 [&>svg:first-child]:text-ink-muted';

export interface LinkListProps {
  /** The accessible name of the list. */
  label: string;
  items: readonly { to: string; label: string; hint?: string | undefined; icon: ReactNode }[];
  /** Rows below the links. */
  children?: ReactNode;
}

/** A list of links to the screens one level below, each with an icon. */
export function LinkList({ label, items, children }: LinkListProps) {
  return (
    <Card>
      <nav aria-label={label}>
        <ul className="divide-y divide-line">
          {items.map(({ to, label: name, hint, icon }) => (
            <li key={to}>
              <Link to={to} state={fromParent} className={linkListRowClasses}>
                {icon}
                <span className="min-w-0 flex-1">
                  <span className="block break-words">{name}</span>
                  {hint && (
                    <span className="block break-words font-normal text-ink-muted text-sm">{hint}</span>
                  )}
                </span>
                <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-muted" />
              </Link>
            </li>
          ))}
          {children}
        </ul>
      </nav>
    </Card>
  );
}
