import { clsx } from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

export interface PageHeadingProps {
  children: ReactNode;
  subtitle?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
  /** Shown before the heading, for example a back link. */
  above?: ReactNode;
  /**
   * Identifies the content if the path alone does not, such as the query of the search page. A new
   * value counts as a navigation.
   */
  of?: string | undefined;
  className?: string | undefined;
}

/**
 * The h1 of a screen. It takes the focus after a navigation inside the app, so that a screen reader
 * announces the new screen and Tab continues from the top. It does not take the focus on the first
 * load, or while a form field or a control in a dialog has the focus.
 */
export function PageHeading({ children, subtitle, actions, above, of, className }: PageHeadingProps) {
  const heading = useFocusAfterNavigation<HTMLHeadingElement>(of);
  return (
    <div className={clsx('mb-6 md:mb-8', className)}>
      {above && <div className="mb-2">{above}</div>}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="font-extrabold text-3xl outline-none">
            {children}
          </h1>
          {subtitle && <p className="mt-2 max-w-prose text-ink-muted text-lg">{subtitle}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-3">{actions}</div>}
      </div>
    </div>
  );
}

/** Returns a ref for an h1 that must take the focus after a navigation. The h1 also needs `tabIndex={-1}`. */
export function useFocusAfterNavigation<E extends HTMLElement>(of?: string) {
  const target = useRef<E>(null);
  const { pathname, key } = useLocation();
  const contentKey = pathname + (of ?? '');
  const initialContentKey = useRef(contentKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new content moves the focus, not every new location key
  useEffect(() => {
    const firstLoad = key === 'default' && initialContentKey.current === contentKey;
    if (firstLoad || document.activeElement?.matches('input, textarea, select, [role="dialog"] *')) return;
    target.current?.focus({ preventScroll: true });
  }, [contentKey]);
  return target;
}
