import { clsx } from 'clsx';
import type { CSSProperties, ReactNode } from 'react';

export interface CardGridProps {
  /**
   * Never uses three columns. Set this if the cards fill rows of two and of four, but the last row of three
   * would be incomplete.
   */
  even?: boolean | undefined;
  children: ReactNode;
}

/** The grid of listing cards: a list with two columns on phones and up to four on wider screens. */
export function CardGrid({ even = false, children }: CardGridProps) {
  return (
    <ul
      className={clsx(
        'two-columns gap-2 sm:gap-4 lg:grid-cols-4 lg:gap-5',
        even ? 'md:grid-cols-4' : 'md:grid-cols-3',
      )}
    >
      {children}
    </ul>
  );
}

export interface CardGridItemProps {
  /** Position in the grid, from 0. */
  index: number;
  /** Seconds between the fade-ins of successive cards. */
  stagger?: number | undefined;
  /**
   * User id of the item's owner, rendered as the attribute `data-owner`, by which a style sheet can hide
   * the items of blocked people.
   */
  owner?: string | undefined;
  children: ReactNode;
}

/** A grid item that fades in after the items before it, with a delay of `index` × `stagger`. */
export function CardGridItem({ index, stagger = 0, owner, children }: CardGridItemProps) {
  return (
    <li
      data-owner={owner}
      className="grid min-w-0 animate-fade-in [animation-delay:var(--delay)]"
      style={{ '--delay': `${(index * stagger).toFixed(2)}s` } as CSSProperties}
    >
      {children}
    </li>
  );
}
