import { clsx } from 'clsx';
import type { ReactNode } from 'react';

const widthClasses = { wide: '', reading: 'max-w-3xl!', form: 'max-w-xl!' };

export interface PageBodyProps {
  /** `wide` for grids, `reading` for text and long forms, `form` for account screens. */
  width?: keyof typeof widthClasses | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** The content of a screen with its padding. Full-width banners are placed outside of it. */
export function PageBody({ width = 'wide', className, children }: PageBodyProps) {
  return <div className={clsx('page-gutters py-8 md:py-12', widthClasses[width], className)}>{children}</div>;
}
