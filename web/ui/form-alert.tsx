import { clsx } from 'clsx';

/**
 * This ref callback is defined outside the component: its identity is stable, so React calls it only when
 * the message appears.
 */
const scrollIntoView = (element: Element | null): void => element?.scrollIntoView({ block: 'nearest' });

/**
 * The error message of a group of controls. It is scrolled into view, because the group cannot take the
 * focus and may be out of view.
 */
export function FormAlert({ children, className }: { children: string | undefined; className?: string }) {
  if (!children) return null;
  return (
    <p ref={scrollIntoView} role="alert" className={clsx('font-medium text-danger text-sm', className)}>
      {children}
    </p>
  );
}
