import { clsx } from 'clsx';
import type { CSSProperties, ReactNode } from 'react';

export interface CardGridProps {
  /** For as many cards as fill rows of two and of four: never three in a row. */
  even?: boolean | undefined;
  children: ReactNode;
}

/** The grid of listing cards, as a list: two in a row on phones, up to four. */
export function CardGrid({ even = false, children }: CardGridProps) {
  return (
    <ul
      className={clsx(
        'grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4 lg:gap-5',
        even ? 'md:grid-cols-4' : 'md:grid-cols-3',
      )}
    >
      {children}
    </ul>
  );
}

export interface CardGridItemProps {
  /** Its place in the grid, counted from 0. */
  index: number;
  /** Seconds between one card's fade-in and the next. */
  stagger?: number | undefined;
  children: ReactNode;
}

/** One card that fades in after those before it. Pages loaded later start again from no delay. */
export function CardGridItem({ index, stagger = 0, children }: CardGridItemProps) {
  return (
    <li
      className="grid min-w-0 animate-fade-in [animation-delay:var(--delay)]"
      style={{ '--delay': `${(index * stagger).toFixed(2)}s` } as CSSProperties}
    >
      {children}
    </li>
  );
}
