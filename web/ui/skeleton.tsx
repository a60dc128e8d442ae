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

/** A placeholder with the size of a listing card. */
export function ListingCardSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="@container flex flex-col overflow-hidden rounded-lg border border-line bg-surface"
    >
      <Skeleton shape="edge" className="aspect-4/5" />
      <div className="flex flex-col gap-1 p-2 pt-2.5 @[13rem]:p-4">
        <Skeleton className="h-[1lh] w-1/3 text-xl" />
        <Skeleton className="h-[2lh] text-sm leading-snug @[13rem]:text-base" />
        <Skeleton className="h-[1lh] w-4/5 text-xs @[13rem]:text-sm" />
      </div>
    </div>
  );
}
