import { clsx } from 'clsx';

/** Defined outside the component, so that React calls this ref only when the message appears. */
const scrollIntoView = (element: Element | null): void => element?.scrollIntoView({ block: 'nearest' });

/** The error message of a group of controls, which cannot take the focus and might be out of view. */
export function FormAlert({ children, className }: { children: string | undefined; className?: string }) {
  if (!children) return null;
  return (
    <p ref={scrollIntoView} role="alert" className={clsx('font-medium text-danger text-sm', className)}>
      {children}
    </p>
  );
}
