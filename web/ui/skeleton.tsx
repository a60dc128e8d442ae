import { clsx } from 'clsx';

const shapeClasses = { box: 'rounded-sm', circle: 'rounded-full', edge: '' };

export interface SkeletonProps {
  /** `edge` has square corners, for use inside a rounded frame. */
  shape?: keyof typeof shapeClasses | undefined;
  className?: string | undefined;
}

/** A gray placeholder for content that is loading. `className` must give it the size of the content. */
export function Skeleton({ shape = 'box', className }: SkeletonProps) {
  return (
    <div aria-hidden="true" className={clsx('animate-shimmer bg-line/70', shapeClasses[shape], className)} />
  );
}

export function ListingCardSkeleton() {
  return (
    <div aria-hidden="true" className="overflow-hidden rounded-lg border border-line bg-surface">
      <Skeleton shape="edge" className="aspect-4/3" />
      <div className="space-y-2.5 p-4">
        <Skeleton className="h-5 w-4/5" />
        <Skeleton className="h-6 w-1/3" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </div>
  );
}
