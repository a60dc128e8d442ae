import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

export interface CardProps extends ComponentProps<'div'> {
  /**
   * Rises on hover. Put one Link with the classes `after:absolute after:inset-0` inside, so that
   * the whole card is clickable. Other links need `data-inner-link`, so that the card shows a focus
   * ring only for the main link.
   */
  interactive?: boolean | undefined;
  /** Adds inner padding. Cards with a photo omit it, so that the photo reaches the edge. */
  padded?: boolean | undefined;
}

export function Card({ interactive = false, padded = false, className, ...rest }: CardProps) {
  return (
    <div
      className={clsx(
        'relative min-w-0 overflow-hidden rounded-lg border border-line bg-surface shadow-sm',
        interactive &&
          'transition duration-200 ease-out hover:-translate-y-0.5 hover:shadow-md has-[a:not([data-inner-link]):focus-visible]:outline-3 has-[a:not([data-inner-link]):focus-visible]:outline-focus has-[a:not([data-inner-link]):focus-visible]:outline-offset-2',
        padded && 'p-5 md:p-6',
        className,
      )}
      {...rest}
    />
  );
}
