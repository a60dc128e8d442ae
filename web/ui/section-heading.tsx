import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export interface SectionHeadingProps {
  children: ReactNode;
  id?: string | undefined;
  /** A link or button at the end, such as View All. */
  action?: ReactNode;
  className?: string | undefined;
}

/** An h2 with a short gold line above it. */
export function SectionHeading({ children, id, action, className }: SectionHeadingProps) {
  return (
    <div className={clsx('mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-1 md:mb-6', className)}>
      <h2
        id={id}
        className="font-extrabold text-2xl before:mb-2.5 before:block before:h-1 before:w-9 before:rounded-full before:bg-gold"
      >
        {children}
      </h2>
      {action}
    </div>
  );
}
