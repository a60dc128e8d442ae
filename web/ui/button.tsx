import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Spinner } from './spinner.tsx';
import { styleChild } from './style-child.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'accent' | 'ghost' | 'danger' | 'link';
export type ButtonSize = 'sm' | 'md' | 'lg';

const variantClasses: Record<ButtonVariant, string> = {
  primary: 'bg-brand text-on-brand shadow-sm hover:bg-brand-hover',
  accent: 'bg-gold text-on-gold shadow-sm hover:bg-gold-hover',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-hover',
  ghost: 'text-ink hover:bg-hover',
  danger: 'border border-danger bg-danger-soft text-danger hover:bg-danger hover:text-ink-inverse',
  link: 'text-brand-text underline decoration-gold decoration-2 underline-offset-4 hover:decoration-brand-text',
};

const sizeClasses: Record<ButtonSize, string> = {
  sm: 'min-h-11 px-3.5 py-1.5 text-sm',
  md: 'min-h-11 px-5 py-1.5 text-base',
  lg: 'min-h-13 px-7 py-1.5 text-lg',
};

const linkSizeClasses: Record<ButtonSize, string> = {
  sm: 'min-h-11 text-sm',
  md: 'min-h-11 text-base',
  lg: 'min-h-13 text-lg',
};

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Fills the width of its container. */
  wide?: boolean | undefined;
  /** Shows a spinner instead of the icon, keeps the width, and ignores clicks. */
  loading?: boolean | undefined;
  /** An icon before the text. Ignored with `asChild`. */
  icon?: ReactNode;
  /** Renders the single child (such as a Link) with the button's style. */
  asChild?: boolean | undefined;
}

export function Button({
  variant = 'primary',
  size = 'md',
  wide = false,
  loading = false,
  icon,
  asChild = false,
  className,
  children,
  disabled,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const classes = clsx(
    'inline-flex select-none items-center justify-center gap-2 rounded-md text-center font-semibold leading-tight transition-colors duration-150',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress',
    variantClasses[variant],
    variant === 'link' ? linkSizeClasses[size] : sizeClasses[size],
    wide && 'w-full',
    className,
  );
  if (asChild) {
    const given = onClick ? { ...rest, onClick } : rest;
    return styleChild(children, { 'data-button': true, ...given, className: classes });
  }
  // A loading button is not `disabled`, because disabling it would move the focus to the top of the page.
  return (
    <button
      type={type}
      className={classes}
      disabled={disabled}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {loading ? <Spinner size="sm" label={null} /> : icon}
      {/* An element of its own, because a browser that translates the page replaces bare text, which breaks React. */}
      <span>{children}</span>
    </button>
  );
}
