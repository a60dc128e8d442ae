import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { styleChild } from './style-child.ts';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'aria-pressed'> {
  /** Accessible name and tooltip. */
  label: string;
  /**
   * The background for which the button is styled: `plain` for the page, `solid` for a photo, `inverse`
   * for a dark background.
   */
  tone?: 'plain' | 'solid' | 'inverse' | undefined;
  /** Makes the button a toggle button, and says whether it is pressed. */
  pressed?: boolean | undefined;
  asChild?: boolean | undefined;
}

const toneClasses = {
  plain: 'text-ink hover:bg-hover',
  solid: 'bg-raised text-ink shadow-md hover:bg-hover',
  inverse: 'text-on-brand hover:bg-white/15',
};

export function IconButton({
  label,
  tone = 'plain',
  pressed,
  asChild,
  className,
  children,
  ...rest
}: IconButtonProps) {
  const classes = clsx(
    'inline-grid size-11 shrink-0 place-items-center rounded-full transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-5',
    toneClasses[tone],
    className,
  );
  const shared = { className: classes, 'aria-label': label, 'aria-pressed': pressed, title: label, ...rest };
  return asChild ? (
    styleChild(children, shared)
  ) : (
    <button type="button" {...shared}>
      {children}
    </button>
  );
}
